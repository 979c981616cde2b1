"""Smoothing: evidence against exact fractions and mpmath, judges against the package, margins against plain sums."""

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import sparse
from scipy.optimize import minimize_scalar

from course.studies.smoothing import figures, made_text
from course.studies.smoothing.empirical_bayes import best_alpha, log_evidence, slope, tails, words_from_the_prior
from course.studies.smoothing.held_out import best_held_out_alpha, class_counts, cut_documents, cut_tokens
from course.studies.smoothing.judges import in_proportion, judge, log_probabilities, mean_difference, scores
from course.studies.smoothing.margins import margins
from course.teaching.conjugate import DirichletMultinomial
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
    counts = made_text.from_the_prior(0.05, np.full(10, 20_000), 5_000, rng)
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


def test_words_from_the_prior_is_its_share_in_each_prediction():
    """The forecaster of each row predicts toss i with the prior's share V alpha / (V alpha + i)."""
    alpha = Fraction(1, 3)
    exact = sum(6 * alpha / (6 * alpha + i) for row in COUNTS.tolist() for i in range(sum(row)))
    assert words_from_the_prior(COUNTS, 1 / 3) == pytest.approx(float(exact), rel=1e-14)
    best = best_alpha(COUNTS)
    first = sum(best / (best + i) for n in COUNTS.ravel() for i in range(n))
    assert words_from_the_prior(COUNTS, best) == pytest.approx(first, rel=1e-9)  # what the maximum says


# Judges


@pytest.mark.parametrize("alpha", [0.01, 0.5, 3.0])
def test_judges_are_those_of_the_package(documents, alpha):
    X, y = documents
    counts, log_prior = class_counts(X[:20], y[:20], 3), np.log(np.bincount(y[:20]) / 20)
    model = MultinomialNB(alpha=alpha).fit(X[:20], y[:20])
    found = judge(X[20:], y[20:], counts, log_prior, [alpha])
    np.testing.assert_allclose(log_probabilities(counts, alpha), model.feature_log_prob_, rtol=1e-12)
    np.testing.assert_array_equal(found.predicted[0], model.predict(X[20:]))
    np.testing.assert_array_equal(found.right[0], model.predict(X[20:]) == y[20:])
    log_posterior = model.predict_log_proba(X[20:])[np.arange(10), y[20:]]
    np.testing.assert_allclose(found.log_loss[0], -log_posterior, rtol=1e-10, atol=1e-12)


def test_an_alpha_in_proportion_gives_the_prior_the_same_share_everywhere():
    counts = np.array([[30.0, 10.0, 0.0], [2.0, 1.0, 1.0]])
    alpha = in_proportion(0.6, counts)
    assert alpha.mean() == pytest.approx(0.6)
    share = 3 * alpha / (counts.sum(axis=1) + 3 * alpha)
    assert share[0] == pytest.approx(share[1])
    np.testing.assert_allclose(np.exp(log_probabilities(counts, alpha)).sum(axis=1), 1)
    by_hand = (counts[0] + alpha[0]) / (40 + 3 * alpha[0])
    np.testing.assert_allclose(np.exp(log_probabilities(counts, alpha))[0], by_hand)


def test_mean_difference_has_two_standard_errors():
    mean, error = mean_difference(np.array([True, True, False, True]), np.array([False, True, False, True]))
    assert mean == 0.25
    assert error == pytest.approx(2 * np.sqrt(0.25 * 0.75 / 4))


# Margins


def test_margins_and_their_parts(documents):
    X, y = documents
    counts, log_prior = class_counts(X[:15], y[:15], 3), np.log([0.2, 0.3, 0.5])
    counts[0, :4] = counts[1, 2:6] = 0  # words that only one class has, and words that two lack
    found = margins(X[15:], counts, log_prior, 0.02, 0.4, middle=0.1)
    np.testing.assert_allclose(found.low + found.change.sum(axis=1), found.high, rtol=1e-9)
    assert not found.change[:, 3].any()  # words of neither class
    assert found.tokens.sum() == pytest.approx(1)
    assert (found.tokens > 0).all()
    lead = np.argsort(-scores(X[15:], counts, log_prior, 0.1), axis=1)[:, :2]
    for d, (j, k) in enumerate(lead.tolist()):
        x = X[15 + d].toarray().ravel()
        only_mine = (counts[j] > 0) & (counts[k] == 0)
        ratio = (counts[j] + 0.4) / (counts[j] + 0.02) * 0.02 / 0.4
        assert found.change[d, 1] == pytest.approx(float(x[only_mine] @ np.log(ratio[only_mine])), abs=1e-12)
        odds = log_prior[j] - log_prior[k] + x @ (log_probabilities(counts, 0.4)[j] - log_probabilities(counts, 0.4)[k])
        assert found.high[d] == pytest.approx(float(odds))


# Made-up text


def test_made_text_has_the_frequencies_and_sizes_it_is_given(monkeypatch):
    monkeypatch.setattr(made_text, "DOCUMENTS", 400)
    monkeypatch.setattr(made_text, "SPREAD", 0.0)  # no taste: every class is alike
    frequencies = np.array([0.5, 0.3, 0.15, 0.05])
    made = made_text.made_text(frequencies, np.array([9_000, 3_000]), np.random.default_rng(0))
    assert made.counts.sum(axis=1).tolist() == [9_000, 3_000]
    np.testing.assert_allclose(made.counts[0] / 9_000, frequencies, atol=0.03)
    tokens = np.asarray(made.X.sum(axis=0)).ravel()
    np.testing.assert_allclose(tokens / tokens.sum(), frequencies, atol=0.02)
    assert 80 < tokens.sum() / 400 < 120
    assert set(made.y.tolist()) == {0, 1}


def test_a_large_alpha_hurts_only_with_a_power_law_and_unequal_classes(monkeypatch):
    for name, value in (("WORDS", 4_000), ("TOKENS", 10_000), ("DOCUMENTS", 500)):
        monkeypatch.setattr(made_text, name, value)
    found = made_text.two_by_two([1, 1, 1, 6], [0.3, 10.0], texts=1, seed=3)
    lost = {kind: float(values[0, 0] - values[0, 1]) for kind, values in found.items()}
    assert lost.pop(("power law", "unequal")) > 0.15
    assert max(lost.values()) < 0.08


# Figures


def test_figures_say_what_they_show():
    alphas = [0.001, 0.01, 0.3, 1.0]
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = sparse.csr_array(rng.poisson(1.0, size=(60, 8)).astype(float))
    counts = class_counts(X, y, 3)
    judged = judge(X, y, counts, np.zeros(3), alphas)
    made = {(w, t): rng.random((2, 4)) for w in ("power law", "flat") for t in ("unequal", "equal")}
    drawn = [
        figures.three_judges(alphas, judged.right.mean(axis=1), judged.log_loss.mean(axis=1), np.zeros(4), 0.05),
        figures.china_by_hand(["a", "b"], [3, 0], (0.1, 1, 10)),
        figures.signs_and_sizes(margins(X, counts, np.zeros(3), 0.01, 0.3), 0.01, 0.3),
        figures.zipf(counts, made, alphas),
        figures.long_classes(alphas, judged, judged, np.array([0]), y),
    ]
    assert all(isinstance(picture.fig, Figure) and len(picture.alt) > 100 for picture in drawn)
    assert len({picture.name for picture in drawn}) == len(drawn)
    assert f"{(judged.predicted[-1] == 0).mean():.2f}" in drawn[4].alt
