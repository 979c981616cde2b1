"""Smoothing as a prior: evidence against exact fractions and mpmath, coverage against sums of fractions."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import mpmath
import numpy as np
import pytest
from scipy import sparse
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from statsmodels.stats.proportion import proportion_confint

from course.studies.smoothing_as_a_prior.coverage import (
    all_intervals,
    by_posterior,
    by_score,
    by_standard_error,
    coverage,
    least_coverage,
    mean_coverage,
)
from course.studies.smoothing_as_a_prior.empirical_bayes import best_alpha, log_evidence, slope, tails
from course.studies.smoothing_as_a_prior.exact_dirichlet import evidence
from course.studies.smoothing_as_a_prior.held_out import (
    best_held_out_alpha,
    by_document,
    class_counts,
    cut_documents,
    cut_tokens,
    difference_per_token,
)
from course.studies.smoothing_as_a_prior.made_text import made_counts
from probml.families.conjugate import DirichletMultinomial
from probml.families.multinomial import Multinomial
from probml.naive_bayes import MultinomialNB

COUNTS = np.array([[5, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 1]])  # the four documents of the lectures


def tossed(counts, alpha):
    """The evidence as a product of predictive probabilities, toss by toss."""
    evidence = Fraction(1)
    for row in counts:
        seen = [0] * len(row)
        for side, count in enumerate(row):
            for _ in range(count):
                evidence *= (seen[side] + alpha) / (sum(seen) + len(row) * alpha)
                seen[side] += 1
    return evidence


@pytest.mark.parametrize("alpha", [Fraction(1, 7), Fraction(1), Fraction(9, 2)], ids=str)
def test_evidence_toss_by_toss(alpha):
    exact = tossed(COUNTS.tolist(), alpha)
    assert log_evidence(COUNTS, float(alpha)) == pytest.approx(
        float(mpmath.log(mpmath.mpf(exact.numerator) / exact.denominator)), rel=1e-14
    )


def test_exact_evidence():
    alpha = [Fraction(1, 3), Fraction(2), Fraction(1, 2)]
    samples = product(range(3), repeat=4)
    assert sum(evidence(alpha, [sides.count(n) for n in range(3)]) for sides in samples) == 1
    assert evidence([Fraction(1, 7)] * 6, COUNTS[0].tolist()) == tossed(COUNTS[:1].tolist(), Fraction(1, 7))


def test_evidence_of_all_samples_sums_to_one():
    alpha = 0.3
    total = sum(np.exp(log_evidence(np.bincount(sides, minlength=3), alpha)) for sides in product(range(3), repeat=5))
    assert total == pytest.approx(1, rel=1e-13)


@pytest.mark.parametrize("alpha", [1e-9, 0.04, 1.0, 3e3, 1e9])
def test_evidence_at_high_precision(alpha):
    counts = np.array([[0, 3, 700, 12], [40, 0, 0, 1]])
    with mpmath.workdps(60):
        a, total = mpmath.mpf(alpha), mpmath.mpf(0)
        for row in counts.tolist():
            total += sum(mpmath.loggamma(a + n) - mpmath.loggamma(a) for n in row)
            total -= mpmath.loggamma(4 * a + sum(row)) - mpmath.loggamma(4 * a)
    assert log_evidence(counts, alpha) == pytest.approx(float(total), rel=1e-13)
    by_rows = sum(DirichletMultinomial((alpha,) * 4).log_evidence(Multinomial(4).collect(row[None])) for row in counts)
    assert log_evidence(tails(counts), alpha) == pytest.approx(by_rows, rel=1e-9)


def test_slopes_are_derivatives_by_the_logarithm():
    known = tails(COUNTS)
    with mpmath.workdps(40):

        def f(u):
            a = mpmath.exp(u)
            return sum(
                sum(mpmath.loggamma(a + n) - mpmath.loggamma(a) for n in row)
                - mpmath.loggamma(6 * a + sum(row))
                + mpmath.loggamma(6 * a)
                for row in COUNTS.tolist()
            )

        expected = [float(mpmath.diff(f, mpmath.log(0.7), order)) for order in (1, 2)]
    assert slope(known, 0.7) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_best_alpha_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    counts = rng.negative_binomial(0.4, 0.1, size=(3, 40))
    known, u = tails(counts), np.linspace(np.log(1e-6), np.log(1e6), 4001)
    values = [log_evidence(known, float(np.exp(each))) for each in u]
    k = int(np.argmax(values))
    found = minimize_scalar(
        lambda each: -log_evidence(known, float(np.exp(each))), bracket=(u[k - 1], u[k], u[k + 1]), tol=1e-12
    )
    assert best_alpha(counts) == pytest.approx(float(np.exp(found.x)), rel=1e-6)
    assert abs(slope(known, best_alpha(counts))[0]) < 1e-9 * counts.sum()


def test_best_alpha_of_made_text_is_the_one_it_was_made_with():
    rng = np.random.default_rng(0)
    counts = made_counts(0.05, np.full(10, 20_000), 5_000, rng)
    assert counts.sum(axis=1).tolist() == [20_000] * 10
    assert best_alpha(counts) == pytest.approx(0.05, rel=0.05)
    learned, held_out = cut_tokens(counts, 0.7, rng)
    assert best_held_out_alpha(learned, held_out) == pytest.approx(0.05, rel=0.1)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[0, 0, 5], [3, 0, 0]], "each of the 2 rows with counts shows one side only"),
        ([[5, 5, 5]], "as even as those of fair dice"),
        ([[1, 0]], "one side only"),
        ([[0, 0]], "counts are all 0"),
        ([[0.5, 1]], "whole numbers"),
        ([[-1, 1]], "whole numbers"),
        ([[np.nan, 1]], "whole numbers"),
        ([[3], [4]], r"V of at least 2, received the shape \(2, 1\)"),
    ],
    ids=["one-side", "even", "one-toss", "nothing", "parts", "negative", "nan", "one-column"],
)
def test_counts_without_a_best_alpha(counts, message):
    with pytest.raises(ValueError, match=message):
        best_alpha(counts)


def test_alpha_must_be_positive():
    with pytest.raises(ValueError, match="alpha must be above 0 and finite, received 0"):
        log_evidence(COUNTS, 0)


# Coverage


def exact_binomial(n, s, phi):
    return comb(n, s) * phi**s * (1 - phi) ** (n - s)


@pytest.mark.parametrize("rule", [by_score, by_standard_error, by_posterior(1, 1)], ids=["score", "se", "posterior"])
def test_coverage_is_the_sum_over_all_samples(rule):
    n, intervals = 7, all_intervals(rule, 7, 0.9)
    for phi in (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)):
        exact = sum(exact_binomial(n, s, phi) for s in range(n + 1) if rule(s, n, 0.9)[0] <= phi <= rule(s, n, 0.9)[1])
        assert coverage(intervals, float(phi)) == pytest.approx(float(exact), abs=1e-14)


@pytest.mark.parametrize(
    ("rule", "method"), [(by_score, "wilson"), (by_standard_error, "normal"), (by_posterior(0.5, 0.5), "jeffreys")]
)
def test_intervals_are_those_of_statsmodels(rule, method):
    for s in range(1, 12):
        np.testing.assert_allclose(
            rule(s, 12, 0.95), np.clip(proportion_confint(s, 12, 0.05, method), 0, 1), rtol=1e-10
        )


@pytest.mark.parametrize(("a", "b"), [(1, 1), (0.5, 0.5), (2, 5)])
def test_posterior_intervals_hold_on_average_over_their_own_prior(a, b):
    for n in (1, 9, 40):
        assert mean_coverage(all_intervals(by_posterior(a, b), n, 0.95), a, b) == pytest.approx(0.95, abs=1e-12)


def test_mean_coverage_is_the_integral():
    intervals = all_intervals(by_score, 6, 0.9)
    ends = np.unique(np.concatenate([[0, 1], intervals.low, intervals.high]))
    integral = sum(
        quad(lambda phi: float(coverage(intervals, phi)) * 6 * phi * (1 - phi), a, b)[0]
        for a, b in zip(ends[:-1] + 1e-13, ends[1:] - 1e-13, strict=True)
    )
    assert mean_coverage(intervals, 2, 2) == pytest.approx(integral, abs=1e-9)


def test_least_coverage_is_below_that_of_any_grid_and_reached():
    intervals = all_intervals(by_score, 15, 0.95)
    least, where = least_coverage(intervals)
    grid = coverage(intervals, np.linspace(0.0005, 0.9995, 20_001))
    assert 0 <= grid.min() - least < 2e-3
    assert least == pytest.approx(
        float(coverage(intervals, [where * (1 - 1e-12), where, where * (1 + 1e-12)]).min()), abs=1e-9
    )
    assert least_coverage(all_intervals(by_standard_error, 15, 0.95))[0] == 0  # at phi near 0 the interval is [0, 0]


def test_coverage_needs_a_trial():
    with pytest.raises(ValueError, match="n must be at least 1 trial, received 0"):
        all_intervals(by_score, 0, 0.95)


# Held-out data


@pytest.fixture
def documents():
    rng = np.random.default_rng(1)
    return sparse.csr_array(rng.poisson(0.7, size=(30, 12))), np.arange(30) % 3


def test_cuts_keep_every_token(documents):
    X, y = documents
    counts = class_counts(X, y, 3)
    np.testing.assert_array_equal(counts, [X.toarray()[y == j].sum(axis=0) for j in range(3)])
    for learned, held_out in (
        cut_documents(X, y, 3, 0.6, np.random.default_rng(0)),
        cut_tokens(counts, 0.6, np.random.default_rng(0)),
    ):
        np.testing.assert_array_equal(learned + held_out, counts)
        assert 0.4 < learned.sum() / counts.sum() < 0.8
    with pytest.raises(ValueError, match="share must be between 0 and 1, received 1"):
        cut_tokens(counts, 1, np.random.default_rng(0))


def test_best_held_out_alpha_against_a_grid():
    rng = np.random.default_rng(2)
    learned, held_out = cut_tokens(rng.negative_binomial(0.3, 0.1, size=(4, 60)), 0.6, rng)
    grid = np.geomspace(1e-3, 1e2, 5001)
    values = [
        np.sum(held_out * (np.log(learned + a) - np.log(learned.sum(axis=1, keepdims=True) + 60 * a))) for a in grid
    ]
    assert best_held_out_alpha(learned, held_out) == pytest.approx(grid[np.argmax(values)], rel=2e-3)
    with pytest.raises(ValueError, match=r"shapes \(4, 60\) and \(4, 59\)"):
        best_held_out_alpha(learned, held_out[:, 1:])
    with pytest.raises(ValueError, match="nothing is held out"):
        best_held_out_alpha(learned, 0 * held_out)
    with pytest.raises(ValueError, match="the edge of the search"):
        best_held_out_alpha(np.array([[900.0, 0.0]]), np.array([[100.0, 0.0]]))


def test_by_document_is_the_sum_over_its_words(documents):
    X, y = documents
    found = by_document(X[:20], y[:20], X[20:], y[20:], np.array([0.1, 2.0]))
    N = class_counts(X[:20], y[:20], 3)
    beta = (N + 2.0) / (N + 2.0).sum(axis=1, keepdims=True)
    expected = [np.log(prod((beta[j] ** x).tolist())) for x, j in zip(X[20:].toarray(), y[20:], strict=True)]
    np.testing.assert_allclose(found.log_likelihood[1], expected, rtol=1e-11)
    model = MultinomialNB(alpha=0.1).fit(X[:20], y[:20])
    np.testing.assert_array_equal(found.right[0], model.predict(X[20:]) == y[20:])


def test_difference_per_token_of_documents_of_one_length_is_the_plain_interval():
    difference = np.array([1.0, -2.0, 4.0, 0.5])
    mean, half = difference_per_token(difference, np.full(4, 10.0))
    assert mean == pytest.approx(difference.mean() / 10)
    assert half == pytest.approx(2 * difference.std() / np.sqrt(4) / 10)
    assert difference_per_token(np.array([3.0, 6.0]), np.array([1.0, 2.0])) == (3.0, 0.0)
