"""Normal distributions: moments of each class, and distances of many examples from many means, block by block."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from probml.families.centred import merged, outer
from probml.generative.classifier import Generative, representable
from probml.generative.statistics import ClassStatistics, rows_by_class
from probml.inputs import examples
from probml.threads import by_blocks, one_blas_thread
from probml.typing import Array, Indices, Labels, Matrix

MOMENT_BLOCK_NUMBERS = 2**17  # a block, centred: a megabyte, that stays in the cache
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
            count, mean, apart = merged(self.class_count, self.mean, other.class_count, other.mean)
            if self.kind == "variances":
                squares = np.square(apart)
            else:
                squares = apart.T @ apart if self.kind == "pooled covariance" else outer(apart)
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
    at_a_time = max(1, MOMENT_BLOCK_NUMBERS // n)
    limit = one_blas_thread() if len(X) > at_a_time else nullcontext()
    with limit, np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused by Moments
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


class NormalClasses(Generative[Moments]):
    """What classifiers with normal densities share: moments, and scores of many examples at a time."""

    _checks: ClassVar[dict[str, object]] = {"dtype": [np.float64, np.float32]}
    _remedy = "They are too far away from all classes: look for wrong units or typing errors in X."

    @abstractmethod
    def _kind(self) -> Scatter:
        """The least that has to be collected."""

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> Moments:
        return collect_moments(X, codes, classes, weight, self._kind())

    def predict_joint_log_proba(self, X: Matrix) -> Array:
        """Score of each class: log p(x | y = j) + log p(y = j), up to a term that all classes share. Shape (m, K)."""
        self._check_estimated()
        joint = self._joint(examples(self, X, reset=False, ensure_all_finite=False, **self._checks))
        if not np.isfinite(joint).all():  # as NaN and inf in X make it: nothing else has to look for them
            self._valid(X)
        return representable(joint)


def squared_distances(X: Array, means: Array, roots: Array | Sequence[Array]) -> Array:
    """Mahalanobis distances (x - mu_j)^T Sigma_j^-1 (x - mu_j), with Sigma_j^-1 = R_j R_j^T. Shape (m, K).

    means : shape (K, n). roots : R_j for each class, shape (n, n), or (n,) where it is diagonal.
    """
    distances, ones = np.empty((len(X), len(means))), np.ones(X.shape[1])

    def of_rows(rows: slice) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            for j, (mean, root) in enumerate(zip(means, roots, strict=True)):
                # Whitened before it is squared: the square of a large or a small number may not be one.
                white = whitened(X[rows] - mean, root)
                distances[rows, j] = np.square(white, out=white) @ ones

    by_blocks(of_rows, *X.shape)
    distances[np.isnan(distances)] = np.inf  # farther than a floating-point number can say
    return distances


def whitened(x: Array, root: Array) -> Array:
    """R^T x for the rows of x, with R of shape (n, n), or (n,) where it is diagonal."""
    return x @ root if root.ndim == 2 else x * root


def centred_products(X: Array, centre: Array, coef: Array, added: Array | float = 0.0) -> Array:
    """(x - c) · w_j + a_j, shape (m, K), centred first where c is so large that digits count.

    centre : c, shape (n,). coef : w, shape (K, n). added : a, shape (K,).
    """
    products = np.empty((len(X), len(coef)))

    def of_rows(rows: slice) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            if small:
                products[rows] = X[rows] @ W - shift + added
            else:
                products[rows] = (X[rows] - centre) @ W + added

    W = np.ascontiguousarray(coef.T)
    with np.errstate(over="ignore", invalid="ignore"):
        shift = coef @ centre
        small = np.finfo(np.float64).eps * (np.abs(coef) @ np.abs(centre)).max(initial=0) < NEGLIGIBLE_ERROR
    by_blocks(of_rows, *X.shape)
    return products
