"""What the measures accept: labels, weights and probabilities, or an error that says what is wrong with them."""

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import given_weights, labels_to_compare
from probml.typing import Array, Indices, Labels

SUM_TOLERANCE = 1e-6  # posteriors of single precision pass


def codes(y: ArrayLike, n_classes: int) -> Indices:
    """Classes coded 0 to K - 1. Shape (m,)."""
    y = labels_to_compare(y)
    if y.dtype.kind not in "iu" or (y.size and not (y.min() >= 0 and y.max() < n_classes)):
        raise ValueError(f"expected classes coded 0 to {n_classes - 1}, received {np.unique(y)[:5].tolist()} ...")
    return y.astype(np.intp)


def same_length(y: ArrayLike, predicted: ArrayLike) -> tuple[Labels, Labels]:
    """Both as arrays of shape (m,), m at least 1."""
    y, predicted = np.asarray(y), np.asarray(predicted)
    if y.shape != predicted.shape or y.ndim != 1 or len(y) == 0:
        shapes = f"{y.shape} and {predicted.shape}"
        raise ValueError(f"expected labels of equal length, at least one: received shapes {shapes}")
    return y, predicted


def weights(sample_weight: ArrayLike | None, m: int) -> Array:
    """Weights of m examples, all 1 if None. Shape (m,)."""
    if sample_weight is None:
        return np.ones(m)
    weight = given_weights(sample_weight, np.empty(m))
    with np.errstate(over="ignore"):
        if np.isinf(weight.sum()):
            raise ValueError("sample_weight adds up to more than a floating-point number can hold: rescale it")
    return weight


def posteriors(p: ArrayLike) -> Array:
    """Rows of probabilities that sum to one. Shape (m, K)."""
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 2 or p.size == 0 or not ((p >= 0) & (p <= 1 + SUM_TOLERANCE)).all():
        raise ValueError(f"expected posteriors from 0 to 1 of shape (m, K), received {_seen(p)}")
    _check_sums(p)
    return p


def log_posteriors(log_p: ArrayLike) -> Array:
    """Rows of logarithms of probabilities that sum to one; log 0 = -inf. Shape (m, K)."""
    log_p = np.asarray(log_p, dtype=np.float64)
    if log_p.ndim != 2 or log_p.size == 0 or not (log_p <= SUM_TOLERANCE).all():
        raise ValueError(
            f"expected log posteriors, at most 0, of shape (m, K), received {_seen(log_p)}: "
            "pass predict_log_proba(X), not predict_proba(X)"
        )
    _check_sums(np.exp(log_p))
    return log_p


def _check_sums(p: Array) -> None:
    sums = p @ np.ones(p.shape[1])  # of short rows in a fraction of the time of `sum`
    if (wrong := np.abs(sums - 1) > SUM_TOLERANCE).any():
        row = int(np.argmax(wrong))
        raise ValueError(f"posteriors must sum to one in every row, received {sums[row]:.6g} in row {row}")


def _seen(p: Array) -> str:
    return f"shape {p.shape}" + (f" with values from {p.min():.6g} to {p.max():.6g}" if p.size else "")
