"""Means and centred second moments of each class, in one pass over blocks of rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from probml.families.centred import merged, outer
from probml.generative.statistics import ClassStatistics, rows_by_class
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Labels

NUMBERS_AT_A_TIME = 2**17  # a block, centred: a megabyte, that stays in the cache
Scatter = Literal["variances", "covariances", "pooled covariance"]


@dataclass(frozen=True, eq=False)
class Moments(ClassStatistics):
    """mean : shape (K, n). scatter : sum over the examples of a class of (x - mean)(x - mean)^T, its `kind` one of

        "variances"            the diagonal only, shape (K, n)
        "covariances"          shape (K, n, n)
        "pooled covariance"    summed over the classes, shape (n, n)

    They are merged as in `probml.families.centred`, which never subtracts squares, so that no digits are lost where the
    mean is large.
    """

    kind: Scatter
    mean: Array
    scatter: Array

    def __post_init__(self) -> None:
        if not all(np.isfinite(sums).all() for sums in (self.class_count, self.mean, self.scatter)):
            raise ValueError(
                "the sums of squares of X, or of the weights, are more than a floating-point number can hold: rescale X"
            )

    def _plus(self, other: Self) -> Self:
        with np.errstate(over="ignore", invalid="ignore"):  # refused in __post_init__
            count, mean, d, between = merged(self.class_count, self.mean, other.class_count, other.mean)
            scatter = self.scatter + other.scatter + square(d * np.sqrt(between)[:, None], self.kind)
        return replace(self, class_count=count, mean=mean, scatter=scatter)

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        scatter = self.scatter if self.kind == "pooled covariance" else spread(self.scatter)
        return replace(self, mean=spread(self.mean), scatter=scatter)


def square(d: Array, kind: Scatter) -> Array:
    """Sum of squares d d^T for each row of d, shape (K, n), or of all rows for the pooled covariance."""
    if kind == "variances":
        return np.square(d)
    return d.T @ d if kind == "pooled covariance" else outer(d)


def collect_moments(X: Array, codes: Indices, classes: Labels, weight: Array | None, kind: Scatter) -> Moments:
    """Moments of X, shape (m, n), block by block, each of examples of one class only."""
    K, n = len(classes), X.shape[1]
    count, mean = np.zeros(K), np.zeros((K, n))
    scatter = np.zeros({"variances": (K, n), "covariances": (K, n, n), "pooled covariance": (n, n)}[kind])
    order, ends = rows_by_class(codes, K)
    at_a_time = max(1, NUMBERS_AT_A_TIME // n)
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused by Moments
        for j in range(K):
            here = scatter if kind == "pooled covariance" else scatter[j]
            for start in range(ends[j], ends[j + 1], at_a_time):
                rows = order[start : min(start + at_a_time, ends[j + 1])]
                count[j], mean[j] = add_block(X, rows, weight, count[j], mean[j], here)
    return Moments(kind, classes, count, n, mean, scatter)


def add_block(
    X: Array, rows: Indices, weight: Array | None, count: float, mean: Array, scatter: Array
) -> tuple[float, Array]:
    """Count and mean after some more rows of X, whose squares are added to `scatter` in place.

    With deviations from the mean so far, of mean s, weight N_b and sum of squares Q, and N the new count,

        mean = mean so far + s N_b / N,     scatter = scatter so far + Q - s s^T N_b^2 / N.

    The last term is at most N_b / N of Q, and so takes no digits from it but in the first block. There, deviations are
    from the mean of the block, found from deviations from its first row: a constant feature has a scatter of zero to
    the last bit.
    """
    if weight is not None:
        rows = rows[weight[rows] > 0]
    if not len(rows):
        return count, mean
    w = np.ones(len(rows)) if weight is None else weight[rows]
    N_b = w.sum()
    block = X.take(rows, axis=0).astype(np.float64, copy=False)
    if not count:
        mean = block[0] + w @ (block - block[0]) / N_b
    block -= mean
    s = w @ block / N_b
    if weight is not None:
        block *= np.sqrt(w)[:, None]
    count += N_b
    drift = s * (N_b / np.sqrt(count))
    if scatter.ndim == 1:
        scatter += np.einsum("ij,ij->j", block, block) - drift**2
    else:
        scatter += block.T @ block - np.outer(drift, drift)
    return count, mean + s * (N_b / count)
