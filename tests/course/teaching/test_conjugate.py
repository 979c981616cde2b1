"""Conjugate priors against exact fractions, enumeration and SciPy."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import stats

from course.teaching.conjugate import BetaBernoulli, DirichletMultinomial
from probml.families import Bernoulli, Binomial, Categorical, Gaussian, Multinomial, Poisson


def rising(a, n):
    """a (a + 1) ... (a + n - 1), exactly."""
    return prod((a + i for i in range(n)), start=Fraction(1))


def test_beta_bernoulli_in_exact_fractions():
    a, b = Fraction(3, 2), Fraction(5, 2)
    x = [1, 0, 1, 1, 0, 1, 1]
    prior = BetaBernoulli(a, b)
    posterior = prior.update(x)
    assert posterior == BetaBernoulli(a + 5, b + 2)
    assert_allclose(posterior.mean, float((a + 5) / (a + b + 7)), rtol=1e-15)
    assert_allclose(posterior.mode, float((a + 4) / (a + b + 5)), rtol=1e-15)
    assert_allclose(posterior.predictive([0, 1]), [float((b + 2) / (a + b + 7)), float((a + 5) / (a + b + 7))])
    evidence = rising(a, 5) * rising(b, 2) / rising(a + b, 7)
    assert_allclose(prior.log_evidence(x), float(mp.log(mp.mpf(evidence.numerator) / evidence.denominator)), rtol=1e-14)
    assert_allclose(prior.log_evidence_of_counts(x) - prior.log_evidence(x), np.log(comb(7, 5)), rtol=1e-13)
    assert prior.update(Bernoulli().collect([*x, np.nan])) == posterior
    assert prior.update(x[:3]).update(x[3:]) == posterior


def test_dirichlet_multinomial_in_exact_fractions():
    alpha = [Fraction(3, 2), Fraction(5, 2), Fraction(1)]
    x = [0, 1, 1, 2, 1, 0, 1]
    prior = DirichletMultinomial(alpha)
    posterior = prior.update(x)
    after = [a + n for a, n in zip(alpha, (2, 4, 1), strict=True)]
    assert posterior == DirichletMultinomial(after)
    assert_allclose(posterior.mean, [float(a / sum(after)) for a in after], rtol=1e-15)
    assert_allclose(posterior.mode, [float((a - 1) / (sum(after) - 3)) for a in after], rtol=1e-15)
    assert_allclose(posterior.predictive([2, 0]), [float(after[2] / sum(after)), float(after[0] / sum(after))])
    evidence = prod(map(rising, alpha, (2, 4, 1))) / rising(sum(alpha), 7)
    assert_allclose(prior.log_evidence(x), float(mp.log(mp.mpf(evidence.numerator) / evidence.denominator)), rtol=1e-14)
    orders = factorial(7) // (factorial(2) * factorial(4))
    assert_allclose(prior.log_evidence_of_counts(x) - prior.log_evidence(x), np.log(orders), rtol=1e-13)
    assert prior.update(Multinomial(3).collect([[1, 3, 1], [1, 1, 0]])) == posterior


def test_modes_at_the_edge_of_the_simplex():
    """The posterior is highest at an end where α = 1, and has its mode as soon as any α is above 1."""
    assert (BetaBernoulli(1, 1.5).mode, BetaBernoulli(1.5, 1).mode) == (0, 1)
    assert BetaBernoulli(1.25, 1.5).mode == 0.25 / 0.75
    assert DirichletMultinomial([1, 1.5, 1]).mode.tolist() == [0, 1, 0]
    assert DirichletMultinomial([1.25, 1, 1.25]).mode.tolist() == [0.5, 0, 0.5]


@settings(max_examples=30, deadline=None)
@given(
    alpha=st.lists(st.floats(1e-3, 1e9), min_size=2, max_size=4),
    seed=st.integers(0, 2**32 - 1),
)
def test_evidence_is_the_product_of_the_predictive_probabilities(alpha, seed):
    x = np.random.default_rng(seed).integers(0, len(alpha), 25)
    now, total = DirichletMultinomial(alpha), 0.0
    for value in x:
        total += np.log(now.predictive(value))
        now = now.update([value])
    assert_allclose(DirichletMultinomial(alpha).log_evidence(x), total, rtol=1e-12)
    if len(alpha) == 2:  # the second category is a success
        assert_allclose(BetaBernoulli(alpha[1], alpha[0]).log_evidence(x), total, rtol=1e-12)


def test_evidence_of_counts_sums_to_one():
    coin = BetaBernoulli(0.7, 2.0)
    sequences = [np.repeat([1, 0], [s, 6 - s]) for s in range(7)]
    assert_allclose(sum(np.exp(coin.log_evidence_of_counts(x)) for x in sequences), 1, rtol=1e-13)
    assert_allclose(sum(np.exp(coin.log_evidence(x)) for x in product((0, 1), repeat=6)), 1, rtol=1e-13)
    die = DirichletMultinomial([0.7, 2.0, 5.0])
    counts = [n for n in product(range(5), repeat=3) if sum(n) == 4]
    assert_allclose(sum(np.exp(die.log_evidence_of_counts(np.repeat([0, 1, 2], n))) for n in counts), 1, rtol=1e-13)
    expected = [stats.dirichlet_multinomial([0.7, 2.0, 5.0], 4).logpmf(n) for n in counts]
    assert_allclose([die.log_evidence_of_counts(np.repeat([0, 1, 2], n)) for n in counts], expected, rtol=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 4.0])
def test_add_alpha_is_the_mean_and_the_mode_of_a_shifted_prior(alpha):
    x = np.array([2, 0, 0, 2, 2])
    family = Categorical(3)
    add_alpha = np.exp(family.mle(family.collect(x) + family.pseudo_counts(alpha)))
    assert_allclose(DirichletMultinomial([alpha] * 3).update(x).mean, add_alpha, rtol=1e-14)
    assert_allclose(DirichletMultinomial([alpha + 1] * 3).update(x).mode, add_alpha, rtol=1e-14)
    coin, x = Bernoulli(), np.array([1, 0, 1])
    add_alpha = coin.usual(coin.mle(coin.collect(x) + coin.pseudo_counts(alpha)))["probability"]
    assert_allclose(BetaBernoulli(alpha, alpha).update(x).mean, add_alpha, rtol=1e-14)
    assert_allclose(BetaBernoulli(alpha + 1, alpha + 1).update(x).mode, add_alpha, rtol=1e-14)


def test_credible_interval():
    assert_allclose(BetaBernoulli(1, 1).interval(0.9), (0.05, 0.95), rtol=1e-14)
    low, high = BetaBernoulli(1, 5).interval(0.95)  # P(φ < t) = 1 - (1 - t)^5
    assert_allclose([low, high], [1 - 0.975 ** (1 / 5), 1 - 0.025 ** (1 / 5)], rtol=1e-13)
    assert_allclose(BetaBernoulli(30, 12).interval(0.8), stats.beta(30, 12).interval(0.8), rtol=1e-12)


def test_conjugate_samples():
    rng = np.random.default_rng(4)
    assert stats.kstest(BetaBernoulli(2, 3).sample(rng, 4000), stats.beta(2, 3).cdf).pvalue > 1e-3
    p = DirichletMultinomial([1, 2, 3]).sample(rng, (4000,))
    assert p.shape == (4000, 3)
    assert stats.kstest(p[:, 2], stats.beta(3, 3).cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BetaBernoulli(0, 1), "a must be finite and above 0, received 0.0"),
        (lambda: BetaBernoulli(1, 1).mode, "no single mode"),
        (lambda: BetaBernoulli(0.5, 3).mode, "no single mode"),
        (lambda: BetaBernoulli(1, 1).interval(1.0), "level must be between 0 and 1, received 1.0"),
        (lambda: BetaBernoulli(1, 1).update([[0, 1], [1, 1]]), "one sequence"),
        (lambda: BetaBernoulli(1, 1).update(Gaussian().nothing()), "one sequence"),
        (lambda: BetaBernoulli(1, 1).predictive(np.nan), "missing"),
        (lambda: DirichletMultinomial([1.0]), "at least 2 numbers"),
        (lambda: DirichletMultinomial([1, 1, 1]).mode, "no single mode"),
        (lambda: DirichletMultinomial([1, 1]).update([2]), "from 0 to 1"),
        (lambda: DirichletMultinomial([1, 1]).update(Categorical(3).nothing()), "one sequence"),
        (lambda: DirichletMultinomial([1, 1]).predictive(np.nan), "missing"),
    ],
)
def test_errors_name_what_was_received(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("family", [Binomial(10), Poisson()], ids=str)
def test_statistics_of_another_family_are_refused(family):
    with pytest.raises(ValueError, match="7 successes in 2 observations: give a sequence of 0 and 1"):
        BetaBernoulli(1, 1).update(family.collect([3, 4]))


def test_large_parameters_lose_no_digits():
    assert BetaBernoulli(1e200, 1e200).log_evidence([0, 1]) == pytest.approx(-2 * np.log(2))
