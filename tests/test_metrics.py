"""Accuracy, confusion and calibration on cases worked by hand and against scikit-learn."""

import numpy as np
import pytest
import sklearn.metrics

from probml.metrics import accuracy, confusion_matrix, reliability


def test_accuracy_and_confusion_against_scikit_learn():
    rng = np.random.default_rng(1)
    y, predicted = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    assert accuracy(y, predicted) == sklearn.metrics.accuracy_score(y, predicted)
    np.testing.assert_array_equal(confusion_matrix(y, predicted, 4), sklearn.metrics.confusion_matrix(y, predicted))
    assert confusion_matrix([2], [0], 3).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_reliability_by_hand():
    probabilities = np.array([[0.6, 0.4], [0.55, 0.45], [0.2, 0.8], [0.0, 1.0]])
    curve = reliability([0, 1, 1, 1], probabilities, n_bins=5)
    # bins (.4, .6] with confidences .6 and .55, one of two right; (.6, .8] with .8, right; (.8, 1] with 1, right
    np.testing.assert_allclose(curve.confidence, [0.575, 0.8, 1.0])
    np.testing.assert_allclose(curve.accuracy, [0.5, 1.0, 1.0])
    assert curve.count.tolist() == [2, 1, 1]
    assert curve.error == pytest.approx(0.5 * 0.075 + 0.25 * 0.2)


def test_honest_probabilities_are_calibrated():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.01, 0.99, 200_000)
    y = (rng.uniform(size=p.size) < p).astype(int)
    assert reliability(y, np.column_stack([1 - p, p])).error < 0.005  # about 3 / sqrt(n) in each of ten bins
    assert reliability(y, np.column_stack([(p < 0.5) * 1.0, (p >= 0.5) * 1.0])).error > 0.2


@pytest.mark.parametrize(("y", "predicted"), [([], []), ([0, 1], [0]), ([[0]], [[0]])])
def test_bad_input(y, predicted):
    with pytest.raises(ValueError, match="equal length"):
        accuracy(y, predicted)


@pytest.mark.parametrize("y", [[-1, 0], [0, 2], [True, False], ["a", "b"], [0.0, 1.0]])
def test_labels_that_are_no_codes(y):
    with pytest.raises(ValueError, match="coded 0 to 1"):
        confusion_matrix(y, [0, 1], 2)
    with pytest.raises(ValueError, match="coded 0 to 1"):
        reliability(y, [[0.5, 0.5], [0.1, 0.9]])


@pytest.mark.parametrize("posterior", [[[np.nan, 0.5]], [[1.5, 0.5]], [[-0.5, 1]], [0.5]])
def test_posteriors_that_are_none(posterior):
    with pytest.raises(ValueError, match="from 0 to 1"):
        reliability([0], posterior)


def test_ten_bins_by_default():
    probabilities = np.column_stack([np.linspace(0.5, 1, 400), np.linspace(0.5, 0, 400)])
    assert len(reliability(np.zeros(400, dtype=int), probabilities).count) == 6
