"""Normal distributions: moments of each class, and distances of many examples from many means, block by block."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from probml.families.centred import merged, outer
from probml.generative.statistics import ClassStatistics, rows_by_class
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Labels

NUMBERS_AT_A_TIME = 2**17  # a block, centred: a megabyte, that stays in the cache
ROWS_AT_A_TIME = 1024  # a block, its deviations and their squares stay in the cache
LOG_2_PI: float = np.log(2 * np.pi)
NEGLIGIBLE_ERROR = 1e-13  # of a log posterior
SMALLEST_VARIANCE = np.finfo(np.float64).tiny  # below it, digits are lost
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
            d = d * np.sqrt(between)[:, None]
            if self.kind == "variances":
                squares = np.square(d)
            else:
                squares = d.T @ d if self.kind == "pooled covariance" else outer(d)
            scatter = self.scatter + other.scatter + squares
        return replace(self, class_count=count, mean=mean, scatter=scatter)

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        scatter = self.scatter if self.kind == "pooled covariance" else spread(self.scatter)
        return replace(self, mean=spread(self.mean), scatter=scatter)


def collect_moments(X: Array, codes: Indices, classes: Labels, weight: Array | None, kind: Scatter) -> Moments:
    """Moments of X, shape (m, n), in one pass over blocks, each of examples of one class only."""
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


def squared_distances(X: Array, means: Array, roots: Array | Sequence[Array]) -> Array:
    """Mahalanobis distances (x - mu_j)^T Sigma_j^-1 (x - mu_j), with Sigma_j^-1 = R_j R_j^T. Shape (m, K).

    means : shape (K, n). roots : R_j for each class, shape (n, n), or (n,) where it is diagonal.
    """
    distances = np.empty((len(X), len(means)))
    # Farther than a floating-point number can say is infinitely far.
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, len(X), ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            for j, (mean, root) in enumerate(zip(means, roots, strict=True)):
                deviation = X[rows] - mean
                # Whitened before it is squared: the square of a large or a small number may not be one.
                if root.ndim == 2:
                    deviation @= root
                else:
                    deviation *= root
                np.square(deviation, out=deviation)
                distances[rows, j] = deviation @ np.ones(len(mean))
    distances[np.isnan(distances)] = np.inf
    return distances


def centred_products(X: Array, centre: Array, coef: Array) -> Array:
    """(x - c) · w_j, shape (m, K), for coef of shape (K, n); centred first where c is so large that digits count."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.finfo(np.float64).eps * (np.abs(coef) @ np.abs(centre)).max(initial=0) < NEGLIGIBLE_ERROR:
            products: Array = (coef @ X.T).T
            products -= coef @ centre
            return products
        products = np.empty((len(X), len(coef)))
        with one_blas_thread():
            for start in range(0, len(X), ROWS_AT_A_TIME):
                rows = slice(start, start + ROWS_AT_A_TIME)
                products[rows] = (X[rows] - centre) @ coef.T
    return products
