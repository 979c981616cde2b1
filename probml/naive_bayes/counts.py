"""Counts of features in the examples of each class, and products of sparse counts with dense logarithms."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import sparse

from probml.generative.statistics import ClassStatistics, rows_by_class
from probml.threads import shared_product
from probml.typing import Array, Indices, Matrix


class CountStatistics(ClassStatistics):
    """Counts, of whatever kind, to which a pseudo-count alpha is added."""

    @abstractmethod
    def total(self, alpha: float) -> float:
        """At least as much as any sum of counts, all of them with alpha."""


@dataclass(frozen=True, eq=False)
class Counts(CountStatistics):
    """feature_count : N_jn, the (weighted) count of feature n in class j, shape (K, n)."""

    feature_count: Array

    def _plus(self, other: Self) -> Self:
        return replace(
            self,
            class_count=self.class_count + other.class_count,
            feature_count=self.feature_count + other.feature_count,
        )

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        return replace(self, feature_count=spread(self.feature_count))

    def total(self, alpha: float) -> float:
        """Of all words of all classes, with alpha for each word and its absence."""
        return float(self.feature_count.sum() + 2 * self.n_features * alpha)


def count_features(X: Matrix, codes: Indices, n_classes: int, weight: Array | None) -> tuple[Array, Array]:
    """N_j, shape (K,), and N_jn, shape (K, n), of X, shape (m, n).

    Both are summed in the order of the rows, so that a word of all documents of a class has N_jn = N_j to the last bit.
    """
    class_count = np.bincount(codes, weight, n_classes).astype(np.float64)
    order, ends = rows_by_class(codes, n_classes)
    if isinstance(X, np.ndarray):
        members = sparse.csr_array((np.ones(len(order)) if weight is None else weight[order], order, ends))
        return class_count, members @ X.astype(np.float64, copy=False)
    X = X[order]
    feature_count = np.empty((n_classes, X.shape[1]))
    for j in range(n_classes):
        own = slice(X.indptr[ends[j]], X.indptr[ends[j + 1]])
        values = X.data[own]
        if weight is not None:
            words = np.diff(X.indptr[ends[j] : ends[j + 1] + 1])
            values = values * np.repeat(weight[order[ends[j] : ends[j + 1]]], words)
        feature_count[j] = np.bincount(X.indices[own], values, X.shape[1])
    return class_count, feature_count


def weighted_logs(X: Matrix, log_p: Array, positive: bool) -> Array:
    """sum_n x_n log p_jn with 0 log 0 = 0, for X of shape (m, n) and log_p of shape (K, n). Shape (m, K).

    positive : no p is zero. Otherwise a product of matrices would make NaN of 0 · (-inf); zeros are counted apart.
    """
    if positive:
        return product(X, log_p)
    impossible = np.isneginf(log_p)
    total = product(X, np.where(impossible, 0.0, log_p))
    total[product(X, impossible.astype(np.float64)) > 0] = -np.inf
    return total


def product(X: Matrix, W: Array) -> Array:
    """X @ W.T, shape (m, K), for finite W; an error where it is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        out = shared_product(X, W.T)
    if not np.isfinite(out).all():
        row = np.flatnonzero(~np.isfinite(out).all(axis=1))[0]
        raise ValueError(f"the counts in row {row} add up to more than a floating-point number can hold: rescale X")
    return out
