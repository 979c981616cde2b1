"""Calibration: of the examples that are given probability p, does a share p come true?"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.inputs import is_whole, labels_to_compare
from probml.metrics.checks import codes, posteriors, same_length
from probml.metrics.wilson import wilson_interval
from probml.typing import Array


@dataclass(frozen=True)
class Reliability:
    """Examples grouped by the confidence of their prediction: one entry of each array for each bin that is not empty.

    error : sum over the bins of (share of examples) |accuracy - confidence|, the expected calibration error.
    """

    confidence: Array
    accuracy: Array
    count: NDArray[np.int64]
    error: float


def reliability(y: ArrayLike, probabilities: ArrayLike, n_bins: int = 10) -> Reliability:
    """Compare the largest posterior of each example, binned, with how often that class is the true one.

    y : classes coded 0 to K - 1, shape (m,). probabilities : posteriors, shape (m, K).
    """
    probabilities = posteriors(probabilities)
    y, predicted = same_length(codes(y, probabilities.shape[1]), probabilities.argmax(axis=1))
    confidence = np.minimum(probabilities.max(axis=1), 1.0)  # single precision may be above
    curve = calibration_curve(predicted == y, confidence, n_bins, positive=True)
    return Reliability(curve.predicted, curve.observed, curve.count, curve.error)


@dataclass(frozen=True)
class CalibrationCurve:
    """Examples grouped by the probability of one class: one entry of each array for each bin that is not empty.

    predicted : mean probability in the bin. observed : share of the bin that is of the class.
    lower, upper : ends of Wilson's interval for the probability that `observed` estimates.
    error : sum over the bins of (share of examples) |observed - predicted|, the expected calibration error.
    """

    predicted: Array
    observed: Array
    lower: Array
    upper: Array
    count: NDArray[np.int64]
    error: float


def calibration_curve(
    y: ArrayLike,
    p: ArrayLike,
    n_bins: int = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
    *,
    positive: object = 1,
    level: float = 0.95,
) -> CalibrationCurve:
    """Compare the probability of the class `positive`, binned, with how often an example is of that class.

    y : labels, shape (m,). p : p(y = positive | x), shape (m,). level : coverage of the intervals.
    strategy : bins of equal width, or with about equally many examples. A bin holds its right edge.
    """
    y, p = same_length(labels_to_compare(y), np.asarray(p, dtype=np.float64))
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"expected probabilities from 0 to 1, received values from {p.min():.6g} to {p.max():.6g}")
    if isinstance(n_bins, bool) or not (is_whole(n_bins) and n_bins >= 1):
        raise ValueError(f"n_bins must be a whole number of at least 1, received {n_bins!r}")
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.quantile(p, edges)
    elif strategy != "uniform":
        raise ValueError(f"strategy must be 'uniform' or 'quantile', received {strategy!r}")
    bins, is_positive = np.searchsorted(edges[1:-1], p), (y == positive).astype(np.float64)
    count = np.bincount(bins, minlength=n_bins)
    filled = count > 0
    count = count[filled]
    predicted = np.bincount(bins, p, n_bins)[filled] / count
    observed = np.bincount(bins, is_positive, n_bins)[filled] / count
    lower, upper = wilson_interval(np.rint(observed * count), count, level)
    error = float(np.sum(count / len(p) * np.abs(observed - predicted)))
    return CalibrationCurve(predicted, observed, lower, upper, count, error)
