"""The measures on cases worked by hand, by brute force in exact fractions, and against scikit-learn."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
import sklearn.calibration
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, log_softmax, logsumexp
from sklearn.naive_bayes import GaussianNB

from probml.errors import ZeroEvidenceError
from probml.metrics import (
    accuracy,
    auc,
    brier,
    calibration_curve,
    confusion_matrix,
    log_loss,
    operating_point,
    reliability,
    roc_curve,
    shift_prior,
    threshold_for_costs,
    wilson_interval,
)

# --- accuracy and confusion -------------------------------------------------------------------------------------------


def test_accuracy_and_confusion_against_scikit_learn():
    rng = np.random.default_rng(1)
    y, predicted = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    assert accuracy(y, predicted) == sklearn.metrics.accuracy_score(y, predicted)
    np.testing.assert_array_equal(confusion_matrix(y, predicted, 4), sklearn.metrics.confusion_matrix(y, predicted))
    assert confusion_matrix([2], [0], 3).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(("y", "predicted"), [([], []), ([0, 1], [0]), ([[0]], [[0]])])
def test_bad_input(y, predicted):
    with pytest.raises(ValueError, match="equal length"):
        accuracy(y, predicted)


@pytest.mark.parametrize("numbers", [[0, 1], [0.0, 1.0], [False, True], np.array([0, 1], dtype=object)])
@pytest.mark.parametrize("words", [["0", "1"], np.array(["0", "1"], dtype=object)])
def test_numbers_never_equal_text(numbers, words):
    with pytest.raises(ValueError, match=r"y has (0|0\.0|False) and predicted has '0': a number never equals text"):
        accuracy(numbers, words)
    with pytest.raises(ValueError, match=r"y has '0' and predicted has (0|0\.0|False): a number never equals text"):
        accuracy(words, numbers)
    assert accuracy(numbers, np.array(numbers).astype(float)) == accuracy(words, list(words)) == 1


@pytest.mark.parametrize("y", [[-1, 0], [0, 2], [True, False], ["a", "b"], [0.0, 1.0]])
def test_labels_that_are_no_codes(y):
    posterior = np.array([[0.5, 0.5], [0.1, 0.9]])
    for measure in (
        lambda: confusion_matrix(y, [0, 1], 2),
        lambda: reliability(y, posterior),
        lambda: log_loss(y, np.log(posterior)),
        lambda: brier(y, posterior),
    ):
        with pytest.raises(ValueError, match="coded 0 to 1"):
            measure()


# --- calibration ------------------------------------------------------------------------------------------------------


def test_reliability_by_hand():
    probabilities = np.array([[0.6, 0.4], [0.55, 0.45], [0.2, 0.8], [0.0, 1.0]])
    curve = reliability([0, 1, 1, 1], probabilities, n_bins=5)
    # bins (.4, .6] with confidences .6 and .55, one of two right; (.6, .8] with .8, right; (.8, 1] with 1, right
    np.testing.assert_allclose(curve.confidence, [0.575, 0.8, 1.0])
    np.testing.assert_allclose(curve.accuracy, [0.5, 1.0, 1.0])
    assert curve.count.tolist() == [2, 1, 1]
    assert curve.error == pytest.approx(0.5 * 0.075 + 0.25 * 0.2)


def test_confidences_of_many_classes_reach_the_first_bin():
    """The likeliest of twelve may have less than a tenth; a confidence above 1 by rounding is in the last bin."""
    first = np.full(12, 1 / 12)
    second = np.append(0.15, np.full(11, 0.85 / 11))
    sure = np.append(1 + 1e-9, np.zeros(11))
    curve = reliability([0, 0, 0], np.array([first, second, sure]))
    np.testing.assert_allclose(curve.confidence, [1 / 12, 0.15, 1])
    assert curve.count.tolist() == [1, 1, 1]


def test_ten_bins_unless_told_otherwise():
    p = np.linspace(0.505, 0.995, 50)
    y, posteriors = np.arange(50) % 2, np.column_stack([1 - p, p])
    assert reliability(y, posteriors).count.tolist() == [10] * 5  # bins of a tenth from .5 to 1
    assert calibration_curve(y, p).count.tolist() == [10] * 5


def test_honest_probabilities_are_calibrated():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.01, 0.99, 200_000)
    y = (rng.uniform(size=p.size) < p).astype(int)
    assert reliability(y, np.column_stack([1 - p, p])).error < 0.005  # about 3 / sqrt(n) in each of ten bins
    assert reliability(y, np.column_stack([(p < 0.5) * 1.0, (p >= 0.5) * 1.0])).error > 0.2
    assert calibration_curve(y, p).error < 0.005
    assert calibration_curve(y, p**2).error > 0.1


@pytest.mark.parametrize("posterior", [[[np.nan, 0.5]], [[1.5, 0.5]], [[-0.5, 1]], [0.5]])
def test_posteriors_that_are_none(posterior):
    for measure in (reliability, brier):
        with pytest.raises(ValueError, match="from 0 to 1"):
            measure([0], posterior)


def test_ten_bins_by_default():
    probabilities = np.column_stack([np.linspace(0.5, 1, 400), np.linspace(0.5, 0, 400)])
    assert len(reliability(np.zeros(400, dtype=int), probabilities).count) == 6
    assert len(calibration_curve(np.zeros(400), probabilities[:, 0]).count) == 6
    assert len(calibration_curve(np.zeros(400), probabilities[:, 0], strategy="quantile").count) == 10


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("decimals", [1, 2, 12])
@pytest.mark.parametrize("n_bins", [1, 7, 10])
def test_calibration_curve_against_scikit_learn(strategy, decimals, n_bins):
    rng = np.random.default_rng(3)
    p = rng.uniform(size=300).round(decimals)
    y = rng.integers(0, 2, 300)
    curve = calibration_curve(y, p, n_bins, strategy)
    observed, predicted = sklearn.calibration.calibration_curve(y, p, n_bins=n_bins, strategy=strategy)
    np.testing.assert_allclose(curve.observed, observed, rtol=0, atol=1e-12)
    np.testing.assert_allclose(curve.predicted, predicted, rtol=0, atol=1e-12)
    assert curve.count.sum() == 300
    assert curve.error == pytest.approx(np.sum(curve.count * np.abs(observed - predicted)) / 300, abs=1e-12)
    for k, n, lower, upper in zip(curve.observed * curve.count, curve.count, curve.lower, curve.upper, strict=True):
        oracle = scipy.stats.binomtest(round(k), int(n)).proportion_ci(0.95, method="wilson")
        assert (lower, upper) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


def test_calibration_curve_by_hand():
    curve = calibration_curve(["spam", "ham", "spam"], [0.5, 0.2, 0.9], n_bins=2, positive="spam")
    # 0.5 is the right edge of the first bin; Wilson's interval for 1 of 2 at z = 1 is 1/2 ± sqrt(1/2 + 1/4) / 3
    np.testing.assert_allclose(curve.predicted, [0.35, 0.9])
    np.testing.assert_allclose(curve.observed, [0.5, 1.0])
    assert curve.count.tolist() == [2, 1]
    assert curve.error == pytest.approx(2 / 3 * 0.15 + 1 / 3 * 0.1)
    one_sigma = scipy.stats.norm.cdf(1) - scipy.stats.norm.cdf(-1)
    assert wilson_interval(1, 2, one_sigma) == pytest.approx((0.5 - 0.75**0.5 / 3, 0.5 + 0.75**0.5 / 3))


def test_wilson_interval_at_its_ends():
    lower, upper = wilson_interval([0, 5], [5, 5])
    assert lower[0] == 0
    assert upper[1] == 1
    assert 0 < upper[0] < 1
    assert upper[0] == pytest.approx(1 - lower[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0.5, 1.5]), "from 0 to 1, received values from 0.5 to 1.5"),
        (([0, 1], [0.5, np.nan]), "from 0 to 1"),
        (([0, 1], [0.5]), "equal length"),
        (([], []), "equal length"),
        (([np.nan, 1], [0.5, 0.5]), "y has nan in row"),
        (([0, 1], [0.5, 0.5], 0), "n_bins must be a whole number of at least 1, received 0"),
        (([0, 1], [0.5, 0.5], 2.5), "n_bins must be a whole number"),
        (([0, 1], [0.5, 0.5], 2, "equal"), "'uniform' or 'quantile', received 'equal'"),
    ],
)
def test_calibration_curve_of_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        calibration_curve(*arguments)


@pytest.mark.parametrize("arguments", [(1, 0), (3, 2), (-1, 2), (1, 2, 1.0), (1, 2, 95)])
def test_wilson_interval_of_bad_input(arguments):
    with pytest.raises(ValueError, match="received"):
        wilson_interval(*arguments)


# --- ROC --------------------------------------------------------------------------------------------------------------

labelled_scores = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 5)), min_size=2, max_size=30
).filter(lambda rows: len({label for label, _, weight in rows if weight}) == 2)


def mann_whitney(rows):
    """AUC over all pairs, in exact fractions."""
    won = total = Fraction(0)
    for positive, score, weight in rows:
        for other, other_score, other_weight in rows:
            if positive and not other:
                total += weight * other_weight
                won += weight * other_weight * (Fraction(score > other_score) + Fraction(score == other_score, 2))
    return won / total


@settings(deadline=None)
@given(labelled_scores)
def test_auc_is_the_exact_share_of_pairs(rows):
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    assert auc(y, score, weight) == float(mann_whitney(rows))
    roc = roc_curve(y, score, weight)
    assert roc.auc == auc(y, score, weight)
    assert np.trapezoid(roc.true_positive_rate, roc.false_positive_rate) == pytest.approx(roc.auc, abs=1e-12)


@settings(deadline=None)
@given(labelled_scores)
def test_points_of_the_curve_are_shares_above_the_threshold(rows):
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    roc = roc_curve(y, score, weight)
    assert roc.threshold.tolist() == [np.inf, *sorted(set(score[weight > 0].tolist()), reverse=True)]
    for t, tpr, fpr in zip(roc.threshold, roc.true_positive_rate, roc.false_positive_rate, strict=True):
        assert tpr == float(Fraction(int(weight[y & (score >= t)].sum()), int(weight[y].sum())))
        assert fpr == float(Fraction(int(weight[~y & (score >= t)].sum()), int(weight[~y].sum())))


@settings(deadline=None)
@given(labelled_scores)
def test_auc_depends_on_the_ranking_only(rows):
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    area = auc(y, score, weight)
    assert auc(y, np.exp(score), weight) == area
    assert auc(y, np.where(score == 3, np.inf, np.where(score == -3, -np.inf, score)), weight) == area
    assert auc(y, -score, weight) == pytest.approx(1 - area, abs=1e-15)
    assert auc(~y, score, weight) == pytest.approx(1 - area, abs=1e-15)
    assert auc(y.astype(int), score, weight, positive=0) == pytest.approx(1 - area, abs=1e-15)
    assert auc(np.repeat(y, weight), np.repeat(score, weight)) == area
    for scale in (1e-300, 1e300, np.where(y, 1e-300, 1e300)):
        assert auc(y, score, weight * scale) == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_scores_are_ranked_as_they_are_given(dtype):
    """2^62 and 2^62 + 1 are the same as float64."""
    score = np.array([2**62, 2**62 + 1], dtype=np.int64).astype(dtype)
    assert auc([0, 1], score) == roc_curve([0, 1], score).auc == 1
    assert auc([1, 0], score) == roc_curve([1, 0], score).auc == 0
    assert auc([0, 1], score.tolist()) == 1


@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_roc_against_scikit_learn(decimals, weighted):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 500)
    score = (rng.standard_normal(500) + y).round(decimals)
    weight = rng.exponential(size=500) * (rng.uniform(size=500) < 0.9) if weighted else None
    roc = roc_curve(y, score, weight)
    fpr, tpr, threshold = sklearn.metrics.roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(roc.false_positive_rate, fpr, rtol=0, atol=1e-12)
    np.testing.assert_allclose(roc.true_positive_rate, tpr, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(roc.threshold, threshold)
    assert auc(y, score, weight) == pytest.approx(
        sklearn.metrics.roc_auc_score(y, score, sample_weight=weight), abs=1e-12
    )
    assert np.trapezoid(roc.true_positive_rate, roc.false_positive_rate) == pytest.approx(roc.auc, abs=1e-12)


@pytest.mark.parametrize("curve", [roc_curve, auc])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 1], [0.1, 0.2]), "needs positive and negative examples; 2 of 2 labels are positive=1"),
        (([0, 0], [0.1, 0.2]), "0 of 2 labels are positive=1"),
        ((["a", "b"], [0.1, 0.2]), "0 of 2 labels are positive=1"),
        (([0, 1], [0.1, 0.2], [1, 0]), "0 of 1 labels are positive=1"),
        (([0, 1], [0.1, np.nan]), "score has NaN, first in row 1"),
        (([np.nan, 1], [0.1, 0.2]), "y has nan in row"),
        (([0, 1], [0.1]), "equal length"),
        (([], []), "equal length"),
        (([0, 1], [0.1, 0.2], [1]), r"sample_weight.shape == \(1,\), expected \(2,\)"),
        (([0, 1], [0.1, 0.2], [1, -1]), "Negative values .* `sample_weight`"),
        (([0, 1], [0.1, 0.2], [1, np.nan]), "sample_weight contains NaN"),
        (([0, 1], [0.1, 0.2], [0, 0]), "weights must contain at least one non-zero"),
        (([0, 1], [0.1, 0.2], [1e308, 1e308]), "rescale"),
    ],
)
def test_roc_of_bad_input(curve, arguments, message):
    with pytest.raises(ValueError, match=message):
        curve(*arguments)


def test_no_threshold_is_above_infinity():
    with pytest.raises(ValueError, match="score by posteriors"):
        roc_curve([0, 1], [0.0, np.inf])
    assert roc_curve([0, 1], [-np.inf, 0.0]).auc == 1


# --- log loss and Brier score -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_log_loss_and_brier_against_scikit_learn(K, weighted):
    rng = np.random.default_rng(5)
    posterior = rng.dirichlet(np.full(K, 0.5), 200)
    y = rng.integers(0, K, 200)
    weight = rng.exponential(size=200) if weighted else None
    assert log_loss(y, np.log(posterior), weight) == pytest.approx(
        sklearn.metrics.log_loss(y, posterior, sample_weight=weight), abs=1e-12
    )
    assert brier(y, posterior, weight) == pytest.approx(
        sklearn.metrics.brier_score_loss(y, posterior, sample_weight=weight, scale_by_half=False), abs=1e-12
    )
    if K == 2:
        one_term = sklearn.metrics.brier_score_loss(y, posterior[:, 1], sample_weight=weight)
        assert brier(y, posterior, weight) == pytest.approx(2 * one_term, abs=1e-12)


def test_one_class_is_never_wrong():
    assert log_loss([0, 0], np.zeros((2, 1))) == brier([0], np.ones((1, 1))) == 0


def test_nothing_is_clipped():
    log_posterior = log_softmax([[0.0, -1e5], [0.0, 0.0]], axis=1)
    assert log_loss([1, 0], log_posterior) == pytest.approx((1e5 + np.log(2)) / 2, rel=1e-15)
    certain = [[0.0, -np.inf], [0.0, -np.inf]]
    assert log_loss([0, 0], certain) == 0
    assert log_loss([0, 1], certain) == np.inf
    assert log_loss([0, 1], certain, [1, 0]) == 0
    assert brier([0, 1], np.exp(certain)) == 1


@pytest.mark.parametrize(
    ("y", "log_posterior", "message"),
    [
        ([0], [[0.4, 0.6]], "at most 0, of shape .* received shape .1, 2. with values from 0.4 to 0.6"),
        ([0], [[np.nan, 0.0]], "at most 0"),
        ([0], [-0.5, -0.5], "shape"),
        ([], np.empty((0, 2)), "shape"),
        ([0, 0], np.log([[0.5, 0.5], [0.5, 0.4]]), "sum to one in every row, received 0.9 in row 1"),
        ([0], [[-np.inf, -np.inf]], "received 0 in row 0"),
        ([0, 1], np.log([[0.5, 0.5]]), "equal length"),
    ],
)
def test_log_loss_of_bad_input(y, log_posterior, message):
    with pytest.raises(ValueError, match=message):
        log_loss(y, log_posterior)


def test_brier_of_bad_input():
    with pytest.raises(ValueError, match=r"sum to one in every row, received 1\.1 in row 0"):
        brier([0], [[0.5, 0.6]])
    with pytest.raises(ValueError, match="equal length"):
        brier([0, 1], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="Negative values"):
        brier([0], [[0.5, 0.5]], [-1])


# --- another class prior ----------------------------------------------------------------------------------------------

log_scores = st.lists(st.lists(st.floats(-50, 50), min_size=3, max_size=3), min_size=1, max_size=5)
priors = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(lambda p: np.array(p) / sum(p))


def three_classes(m=400):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, m)
    return rng.standard_normal((m, 4)) * (1 + y[:, None]) + y[:, None], y


def test_shift_prior_is_the_model_with_another_prior():
    X, y = three_classes()
    old, new = [0.2, 0.3, 0.5], [0.7, 0.2, 0.1]
    shifted = shift_prior(GaussianNB(priors=old).fit(X, y).predict_log_proba(X), old, new)
    np.testing.assert_allclose(shifted, GaussianNB(priors=new).fit(X, y).predict_log_proba(X), rtol=0, atol=1e-12)


def test_a_class_may_be_ruled_out():
    X, y = three_classes()
    old, new = [0.2, 0.3, 0.5], [0.6, 0.0, 0.4]
    shifted = shift_prior(GaussianNB(priors=old).fit(X, y).predict_log_proba(X), old, new)
    two = GaussianNB(priors=[0.6, 0.4]).fit(X[y != 1], y[y != 1])
    assert np.isneginf(shifted[:, 1]).all()
    # scikit-learn adds a share of the largest variance to all of them, which the absent class may have had
    assert np.abs(shifted[:, [0, 2]] - two.predict_log_proba(X)).max() < 1e-5
    np.testing.assert_allclose(shift_prior(shifted, new, new), shifted, rtol=0, atol=1e-12)


@settings(deadline=None)
@given(log_scores, priors, priors, priors)
def test_shifts_compose_and_invert(scores, first, second, third):
    log_posterior = log_softmax(scores, axis=1)
    there = shift_prior(log_posterior, first, second)
    np.testing.assert_allclose(logsumexp(there, axis=1), 0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(shift_prior(there, second, first), log_posterior, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        shift_prior(there, second, third), shift_prior(log_posterior, first, third), rtol=0, atol=1e-12
    )


def test_shift_prior_in_exact_fractions():
    posterior, old, new = (
        [Fraction(1, 4), Fraction(3, 4)],
        [Fraction(1, 2), Fraction(1, 2)],
        [Fraction(1, 10), Fraction(9, 10)],
    )
    joint = [p * b / a for p, a, b in zip(posterior, old, new, strict=True)]
    shifted = shift_prior(np.log([[float(p) for p in posterior]]), [float(p) for p in old], [float(p) for p in new])
    np.testing.assert_allclose(np.exp(shifted[0]), [float(p / sum(joint)) for p in joint], rtol=1e-15)


@pytest.mark.parametrize(
    ("log_posterior", "old", "new", "message"),
    [
        ([[0.0, -np.inf]], [1, 0], [0.5, 0.5], "class 1 has old_prior 0 and new_prior 0.5"),
        ([[0.0, -np.inf]], [0.5, 0.5], [0, 1], "first in row 0, have posterior zero for every class"),
        ([[0.0, -np.inf]], [0.5, 0.5, 0], [0.5, 0.5, 0], "old_prior must be 2 probabilities"),
        ([[0.0, -np.inf]], [0.5, 0.5], [0.5, 0.6], "new_prior must be 2 probabilities that sum to one"),
        ([[0.0, -np.inf]], [0.5, 0.5], [1.5, -0.5], "new_prior"),
        ([[0.0, -np.inf]], [np.nan, 0.5], [0.5, 0.5], "old_prior"),
        ([[0.5, 0.5]], [0.5, 0.5], [0.5, 0.5], "at most 0"),
        ([[-1.0, -1.0]], [0.5, 0.5], [0.5, 0.5], "sum to one"),
    ],
)
def test_shift_prior_of_bad_input(log_posterior, old, new, message):
    with pytest.raises(ValueError, match=message):
        shift_prior(log_posterior, old, new)


def test_impossible_evidence_has_its_own_error():
    with pytest.raises(ZeroEvidenceError, match="0/0"):
        shift_prior([[0.0, -np.inf]], [0.5, 0.5], [0, 1])
    with pytest.raises(ZeroEvidenceError, match="1 of 3 examples, the first in row 1, have posterior zero"):
        shift_prior([[np.log(0.5), np.log(0.5)], [0.0, -np.inf], [-np.inf, 0.0]], [0.5, 0.5], [0, 1])


@settings(deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.1, 10), st.floats(0.1, 10), st.floats(-5, 5))
def test_thresholds_choose_the_cheaper_class(theta, cost_false_positive, cost_false_negative, likelihood_ratio):
    p = expit(likelihood_ratio + np.log(theta / (1 - theta)))
    cut = threshold_for_costs(cost_false_positive, cost_false_negative) - np.log(theta / (1 - theta))
    gain = cost_false_negative * p - cost_false_positive * (1 - p)
    if abs(gain) > 1e-9:
        assert (likelihood_ratio > cut) == (gain > 0)


def test_threshold_by_hand():
    assert threshold_for_costs(9, 1) == pytest.approx(np.log(9))


def test_operating_point_by_hand():
    # corners (0, 0), (0, 1/2), (1/2, 1), (1, 1); equal costs: 1/2 (0 + 1/2) = 1/2 (1/2 + 0), so the higher threshold
    roc = roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    point = operating_point(roc, 0.5)
    assert (point.threshold, point.false_positive_rate, point.true_positive_rate, point.cost) == (4, 0, 0.5, 0.25)
    assert operating_point(roc, 0.9).threshold == 2
    assert operating_point(roc, 0.5, cost_false_negative=3).cost == pytest.approx(0.25)
    assert operating_point(roc, 0.5, cost_false_positive=3).threshold == 4
    assert operating_point(roc, 0).threshold == np.inf
    assert operating_point(roc, 1).true_positive_rate == 1


@settings(deadline=None)
@given(labelled_scores, st.integers(0, 10), st.integers(1, 5), st.integers(1, 5))
def test_operating_point_is_the_cheapest_of_all_thresholds(rows, tenths, cost_false_positive, cost_false_negative):
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    theta, costs = Fraction(tenths, 10), (cost_false_positive, cost_false_negative)

    def cost(t):
        fpr = Fraction(int(weight[~y & (score >= t)].sum()), int(weight[~y].sum()))
        fnr = Fraction(int(weight[y & (score < t)].sum()), int(weight[y].sum()))
        return cost_false_positive * (1 - theta) * fpr + cost_false_negative * theta * fnr

    least = min(cost(t) for t in range(-3, 5))
    point = operating_point(roc_curve(y, score, weight), float(theta), *costs)
    assert point.cost == pytest.approx(float(least), abs=1e-12)
    assert float(cost(point.threshold)) == pytest.approx(float(least), abs=1e-12)


def test_the_best_cut_on_a_likelihood_ratio_is_the_one_of_the_formula():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 400_000)
    x = rng.standard_normal(y.size) + 2 * y  # log likelihood ratio of N(2, 1) against N(0, 1) is 2 x - 2
    point = operating_point(roc_curve(y, 2 * x - 2), 0.1, cost_false_positive=1, cost_false_negative=3)
    assert point.threshold == pytest.approx(threshold_for_costs(1, 3) + np.log(9), abs=0.15)


@pytest.mark.parametrize("theta", [-0.1, 1.1, np.nan])
def test_theta_is_a_probability(theta):
    roc = roc_curve([0, 1], [0, 1])
    with pytest.raises(ValueError, match="theta is the probability of class 1"):
        operating_point(roc, theta)


@pytest.mark.parametrize("costs", [(0, 1), (1, 0), (1, -1), (np.inf, 1), (np.nan, 1)])
def test_costs_are_positive(costs):
    roc = roc_curve([0, 1], [0, 1])
    for use in (lambda: threshold_for_costs(*costs), lambda: operating_point(roc, 0.5, *costs)):
        with pytest.raises(ValueError, match="positive and finite"):
            use()


def test_reliability_of_single_precision_and_of_what_are_no_posteriors():
    assert reliability([0, 1], np.array([[1.0000001, 0.0], [0.0, 1.0]], dtype=np.float32)).accuracy == 1
    with pytest.raises(ValueError, match=r"posteriors must sum to one in every row, received 0.6 in row 0"):
        reliability([0, 1], [[0.5, 0.1], [0.2, 0.8]])
    for n_bins in (0, 2.5, True):
        for curve in (
            lambda n: reliability([0, 1], [[0.5, 0.5], [0.2, 0.8]], n),
            lambda n: calibration_curve([0, 1], [0.5, 0.8], n),
        ):
            with pytest.raises(ValueError, match=f"n_bins must be a whole number of at least 1, received {n_bins}"):
                curve(n_bins)
    with pytest.raises(ValueError, match="labels of equal length"):
        log_loss(0, [[0.0, -np.inf]])
