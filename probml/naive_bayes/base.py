"""What the models of counts share: N_jn for each class and feature, the smoothing alpha, the class prior."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.validation import check_non_negative

from probml.errors import NoEstimateError
from probml.families.base import log
from probml.generative import ClassStatistics, StatisticsClassifier
from probml.generative.statistics import rows_by_class
from probml.inputs import parameters, require_flags
from probml.threads import shared_product
from probml.typing import Array, Indices, Labels, Matrix

SMALLEST_ALPHA = 1e-10  # with force_alpha=False


@dataclass(frozen=True, eq=False)
class Counts(ClassStatistics):
    """feature_count : N_jn, the (weighted) count of feature n in class j, shape (K, n)."""

    feature_count: Array

    def _plus(self, other: Self) -> Self:
        N_j, N_jn = self.class_count + other.class_count, self.feature_count + other.feature_count
        return replace(self, class_count=N_j, feature_count=N_jn)

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        return replace(self, feature_count=spread(self.feature_count))


C = TypeVar("C", bound=Counts)


@parameters
class DiscreteNB(StatisticsClassifier[C]):
    """Naive Bayes on counts. With K classes, n features and N_jn the (weighted) count of feature n in class j:

        class prior      pi_j = N_j / N                                  (shape (K,))
        prediction       argmax_j  log pi_j + log p(x | y = j)
        posterior        log p(y = j | x) = log p(x, j) - log sum_k p(x, k)

    A model says what to count (`_collect`) and how counts become parameters (`_estimate`).
    """

    _checks: ClassVar[dict[str, object]] = {"accept_sparse": "csr"}
    _input_tags: ClassVar[dict[str, bool]] = {"sparse": True, "positive_only": True}
    _remedy = "Smooth with alpha > 0 (it is {alpha!r})."

    alpha: float | ArrayLike = 1.0
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: ArrayLike | None = None

    def _estimate(self, statistics: C) -> None:
        """The smoothing and the class prior; the model does the rest."""
        n, alpha = statistics.n_features, np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (n,):
            raise ValueError(f"alpha has shape {alpha.shape}: give a number, or one for each of {n} features")
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ValueError(f"alpha must be finite and not negative, received {self.alpha!r}")
        require_flags(self, "force_alpha", "fit_prior")
        if not self.force_alpha and (alpha < SMALLEST_ALPHA).any():
            warnings.warn(
                f"alpha={self.alpha!r} is raised to {SMALLEST_ALPHA}, as force_alpha=False asks", stacklevel=6
            )
            alpha = np.maximum(alpha, SMALLEST_ALPHA)
        with np.errstate(over="ignore"):  # at least as much as any sum below
            finite = np.isfinite(statistics.feature_count.sum() + 2 * n * alpha.max(initial=0))
        if not finite:
            raise ValueError("the counts, or alpha, add up to more than a floating-point number can hold: rescale them")
        given = "uniform" if self.class_prior is None and not self.fit_prior else self.class_prior
        self.alpha_, self.class_count_ = alpha, statistics.class_count
        self.class_log_prior_ = log(statistics.class_prior(given, "class_prior"))

    def _log_prior(self) -> Array:
        return self.class_log_prior_

    def _product_with_logs(self, X: Matrix, log_p: Array) -> Array:
        """X @ log_p.T, sum_n x_n log p_jn, with 0 log 0 = 0. X : shape (m, n). log_p : shape (K, n). Shape (m, K)."""
        if (self.alpha_ > 0).all():
            return finite_product(X, log_p)
        impossible = np.isneginf(log_p)  # the product would make NaN of 0 · (-inf)
        total = finite_product(X, np.where(impossible, 0.0, log_p))
        total[finite_product(X, impossible.astype(np.float64)) > 0] = -np.inf
        return total


class CountNB(DiscreteNB[Counts]):
    """Naive Bayes on X that holds counts, or anything like counts: not negative."""

    def _kind(self) -> str:
        return "sums of counts"

    def _events(self, X: Matrix) -> Matrix:
        """What is counted."""
        if (X if isinstance(X, np.ndarray) else X.data).min(initial=0) < 0:
            check_non_negative(X, f"{type(self).__name__} (input X are counts)")
        return X

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> Counts:
        """N_j and N_jn, summed in the same order, so that a word of all documents of a class has N_jn = N_j exactly."""
        X, K, n = self._events(X), len(classes), X.shape[1]
        class_count = np.bincount(codes, weight, K).astype(np.float64)
        if isinstance(X, np.ndarray):
            order, ends = rows_by_class(codes, K)
            members = sparse.csr_array((np.ones(len(order)) if weight is None else weight[order], order, ends))
            feature_count = members @ X
        else:
            words = np.diff(X.indptr)  # of each document
            count = X.data if weight is None else X.data * np.repeat(weight, words)
            feature_count = np.bincount(np.repeat(codes * n, words) + X.indices, count, K * n).reshape(K, n)
        return Counts(self._kind(), classes, class_count, n, feature_count.astype(np.float64, copy=False))


def finite_product(X: Matrix, W: Array) -> Array:
    """X @ W.T, shape (m, K), for finite W of shape (K, n); an error where it is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        out = shared_product(X, W.T)
    if not np.isfinite(out).all():
        row = np.flatnonzero(~np.isfinite(out).all(axis=1))[0]
        raise ValueError(f"the counts in row {row} add up to more than a floating-point number can hold: rescale X")
    return out


def require_observed(total: Array, classes: Labels, what: str) -> None:
    """Refuse classes with nothing to divide by, seen or made up. total : shape (K, 1) or (K, n)."""
    if (empty := total[:, 0] <= 0).any():
        raise NoEstimateError(
            f"class {classes[empty][0]} has no {what}, so that alpha=0 leaves its probabilities 0/0: use alpha > 0"
        )
