"""Means and centred second moments of each class, in one pass over blocks of rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from probml.generative.statistics import ClassStatistics, rows_by_class
from probml.threads import one_blas_thread

BLOCK = 2**17  # numbers held, centred, at a time: a megabyte, that stays in the cache
Scatter = Literal["variances", "covariances", "pooled covariance"]


@dataclass(frozen=True, eq=False)
class Moments(ClassStatistics):
    """mean : shape (K, n). scatter : sum over the examples of a class of (x - mean)(x - mean)^T, its `kind` one of

        "variances"            the diagonal only, shape (K, n)
        "covariances"          shape (K, n, n)
        "pooled covariance"    summed over the classes, shape (n, n)

    Two samples a and b are merged as Chan, Golub and LeVeque do: with d = mean_b - mean_a and N = N_a + N_b,

        mean = mean_a + d N_b / N,     scatter = scatter_a + scatter_b + d d^T N_a N_b / N,

    which never subtracts squares, so that no digits are lost where the mean is large.
    """

    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]

    def __post_init__(self) -> None:
        if not all(np.isfinite(sums).all() for sums in (self.class_count, self.mean, self.scatter)):
            raise ValueError(
                "the sums of squares of X, or of the weights, are more than a floating-point number can hold: rescale X"
            )

    def _plus(self, other: Self) -> Self:
        with np.errstate(over="ignore", invalid="ignore"):  # refused in __post_init__
            count, mean, apart = joined(self.class_count, self.mean, other.class_count, other.mean)
            scatter = self.scatter + other.scatter + square(apart, self.kind)
        return replace(self, class_count=count, mean=mean, scatter=scatter)

    def _spread(self, spread: Callable[[NDArray], NDArray]) -> dict[str, NDArray]:
        pooled = self.kind == "pooled covariance"
        return {"mean": spread(self.mean), "scatter": self.scatter if pooled else spread(self.scatter)}


def joined(
    count_a: NDArray[np.float64], mean_a: NDArray[np.float64], count_b: NDArray[np.float64], mean_b: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """N and mean of two samples, and d sqrt(N_a N_b / N), whose square is what the scatter gains: class by class."""
    count = count_a + count_b
    share = np.divide(count_b, count, out=np.zeros_like(count), where=count > 0)
    d = mean_b - mean_a
    return count, mean_a + d * share[:, None], d * np.sqrt(count_a * share)[:, None]


def square(d: NDArray[np.float64], kind: Scatter) -> NDArray[np.float64]:
    """Sum of squares d d^T for each row of d, shape (K, n), or of all rows for the pooled covariance."""
    if kind == "variances":
        return d**2
    return d.T @ d if kind == "pooled covariance" else d[:, :, None] * d[:, None, :]


def collect_moments(
    X: NDArray, codes: NDArray[np.intp], classes: NDArray, weight: NDArray[np.float64] | None, kind: Scatter
) -> Moments:
    """Moments of X, shape (m, n), block by block, each of examples of one class only."""
    K, n = len(classes), X.shape[1]
    count, mean = np.zeros(K), np.zeros((K, n))
    scatter = np.zeros({"variances": (K, n), "covariances": (K, n, n), "pooled covariance": (n, n)}[kind])
    order, ends = rows_by_class(codes, K)
    at_a_time = max(1, BLOCK // n)
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused by Moments
        for j in range(K):
            here = scatter if kind == "pooled covariance" else scatter[j]
            for start in range(ends[j], ends[j + 1], at_a_time):
                rows = order[start : min(start + at_a_time, ends[j + 1])]
                count[j], mean[j] = add_block(X, rows, weight, count[j], mean[j], here)
    return Moments(kind, classes, count, n, mean, scatter)


def add_block(
    X: NDArray,
    rows: NDArray[np.intp],
    weight: NDArray[np.float64] | None,
    count: float,
    mean: NDArray[np.float64],
    scatter: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
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
