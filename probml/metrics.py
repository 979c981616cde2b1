"""How good are predictions, and how honest are the probabilities?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """Fraction of examples whose class is predicted."""
    y, predicted = _same_length(y, predicted)
    return float(np.mean(y == predicted))


def confusion_matrix(y: ArrayLike, predicted: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Counts of (true class, predicted class), shape (K, K), for classes coded 0 to K - 1."""
    y, predicted = _codes(y, n_classes), _codes(predicted, n_classes)
    _same_length(y, predicted)
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (y, predicted), 1)
    return counts


@dataclass(frozen=True)
class Reliability:
    """Examples grouped by the confidence of their prediction. All arrays have one entry for each bin that is not empty.

    error : sum over the bins of (share of examples) |accuracy - confidence|, the expected calibration error.
    """

    confidence: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    count: NDArray[np.int64]
    error: float


def reliability(y: ArrayLike, probabilities: ArrayLike, n_bins: int = 10) -> Reliability:
    """Compare the largest posterior of each example, binned, with how often that class is the true one.

    y : classes coded 0 to K - 1, shape (m,). probabilities : posteriors, shape (m, K).
    """
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2 or not ((probabilities >= 0) & (probabilities <= 1 + 1e-9)).all():
        raise ValueError(f"expected posteriors from 0 to 1 of shape (m, K), received shape {probabilities.shape}")
    y, predicted = _same_length(_codes(y, probabilities.shape[1]), probabilities.argmax(axis=1))
    confidence = probabilities.max(axis=1)
    right = (predicted == y).astype(float)
    bins = np.clip(np.ceil(confidence * n_bins).astype(int) - 1, 0, n_bins - 1)  # bin b is (b / n_bins, (b+1) / n_bins]
    count = np.bincount(bins, minlength=n_bins)
    filled = count > 0
    mean_confidence = np.bincount(bins, confidence, n_bins)[filled] / count[filled]
    mean_accuracy = np.bincount(bins, right, n_bins)[filled] / count[filled]
    share = count[filled] / len(y)
    error = float(np.sum(share * np.abs(mean_accuracy - mean_confidence)))
    return Reliability(mean_confidence, mean_accuracy, count[filled], error)


def _codes(y: ArrayLike, n_classes: int) -> NDArray[np.intp]:
    y = np.asarray(y)
    if y.dtype.kind not in "iu" or (len(y) and not (y.min() >= 0 and y.max() < n_classes)):
        raise ValueError(f"expected classes coded 0 to {n_classes - 1}, received {np.unique(y)[:5].tolist()} ...")
    return y.astype(np.intp)


def _same_length(y: ArrayLike, predicted: ArrayLike) -> tuple[NDArray, NDArray]:
    y, predicted = np.asarray(y), np.asarray(predicted)
    if y.shape != predicted.shape or y.ndim != 1 or len(y) == 0:
        raise ValueError(
            f"expected labels of equal length, at least one: received shapes {y.shape} and {predicted.shape}"
        )
    return y, predicted
