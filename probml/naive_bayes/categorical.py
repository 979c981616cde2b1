"""k-valued features: one categorical distribution for each feature and class."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from probml.families.base import log
from probml.generative import Generative, LinearPosterior
from probml.inputs import parameters
from probml.naive_bayes.base import DiscreteNB, require_observed
from probml.naive_bayes.counts import CountStatistics
from probml.typing import Array, Indices, Labels, Matrix

CATEGORIES_LIMIT = 2**31  # there is a count of every whole number up to the largest one
ROWS_AT_A_TIME = 4096  # whose log likelihoods are summed


@dataclass(frozen=True, eq=False)
class CategoryCounts(CountStatistics):
    """category_count : for each feature, the count of each of its categories in class j, shape (K, k)."""

    category_count: list[Array]

    def _plus(self, other: Self) -> Self:
        ours, theirs = self.widened(other.n_categories), other.widened(self.n_categories)
        summed = [a + b for a, b in zip(ours.category_count, theirs.category_count, strict=True)]
        return replace(self, class_count=self.class_count + other.class_count, category_count=summed)

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        return replace(self, category_count=[spread(count) for count in self.category_count])

    @property
    def n_categories(self) -> Indices:
        """k_n, shape (n,)."""
        return np.array([count.shape[1] for count in self.category_count])

    def widened(self, n_categories: Indices) -> Self:
        """With at least so many categories of each feature, shape (n,)."""
        counts = zip(self.category_count, n_categories, strict=True)
        return replace(self, category_count=[widened(count, k) for count, k in counts])

    def total(self, alpha: float) -> float:
        """Of all examples, with alpha for each category of a feature."""
        return float(self.class_count.sum() + self.n_categories.max() * alpha)


def widened(count: Array, k: int) -> Array:
    """Counts, shape (K, .), of at least k categories: those that are new here have not been seen."""
    if count.shape[1] >= k:
        return count
    wider = np.zeros((len(count), k))
    wider[:, : count.shape[1]] = count
    return wider


@parameters
class CategoricalNB(Generative[CategoryCounts], DiscreteNB[CategoryCounts]):
    r"""Categorical naive Bayes with add-alpha smoothing.

    .. math::
        \log p(x \mid y = j) = \sum_n \log p(x_n \mid y = j), \quad
        p(x_n = c \mid y = j) = \frac{N_{jnc} + \alpha}{N_j + k_n \alpha}

    where N_jnc counts the examples of class j whose feature n has category c, out of k_n.

    X : dense, shape (m, n), whole numbers 0, 1, ..., k_n - 1 that name categories.

    Parameters
    ----------
    alpha : pseudo-count added to every category. 0 is maximum likelihood.
    force_alpha : if False, alpha is raised to at least 1e-10.
    fit_prior : estimate the class prior; otherwise it is uniform.
    class_prior : class prior, shape (K,); not estimated if given.
    min_categories : smallest number of categories of every feature, or of each feature, shape (n,). By default the
        largest category that was seen is the last. A category beyond that cannot be predicted from.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), class_log_prior_ (K,), n_categories_ (n,), category_count_ and feature_log_prob_ =
    lists of n arrays (K, k_n), alpha_ = the smoothing that was used, statistics_
    """

    _checks = {"dtype": "numeric", "accept_sparse": False}  # noqa: RUF012

    min_categories: int | ArrayLike | None = None

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of indicators: w_j,nc = log p(x_n = c | y = j), b_j = log pi_j."""
        self._check_estimated()
        coef = np.concatenate(self.feature_log_prob_, axis=1)
        return LinearPosterior(self.classes_, coef, self.class_log_prior_, copy(self)._indicators)

    def _kind(self) -> str:
        return "counts of categories"

    def _events(self, X: Labels) -> Indices:
        if X.dtype.kind not in "biuf":
            raise ValueError(
                f"X must hold whole numbers that name categories, received {X.flat[0]!r}: number them, for example by "
                "scikit-learn's OrdinalEncoder"
            )
        check_non_negative(X, f"{type(self).__name__} (input X are categories 0, 1, ...)")
        if X.dtype.kind == "f" and not (whole := X == np.floor(X)).all():
            raise ValueError(f"X must hold whole numbers that name categories, received {X[~whole][0]}")
        if (largest := int(X.max())) >= CATEGORIES_LIMIT:
            raise ValueError(f"X has the category {largest:.6g}, too large a number: number them anew, 0, 1, ...")
        return X.astype(np.intp, copy=False)

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> CategoryCounts:
        X, K = self._events(X), len(classes)
        counts = [
            np.bincount(codes * k + column, weight, K * k).reshape(K, k).astype(np.float64)
            for column, k in zip(X.T, X.max(axis=0) + 1, strict=True)
        ]
        class_count = np.bincount(codes, weight, K).astype(np.float64)
        return CategoryCounts(self._kind(), classes, class_count, X.shape[1], counts)

    def _estimate(self, statistics: CategoryCounts) -> None:
        """log p(x_n = c | y = j) = log(N_jnc + alpha) - log(N_jn + k_n alpha), where N_jn sums over the categories."""
        statistics = statistics.widened(self._least_categories(statistics.n_features))
        super()._estimate(statistics)
        if (alpha := self.alpha_).ndim:
            raise ValueError(f"alpha must be one number for all categories, received {self.alpha!r}")
        self.category_count_, self.n_categories_ = statistics.category_count, statistics.n_categories
        self.feature_log_prob_ = []
        for N in self.category_count_:
            total = N.sum(axis=1, keepdims=True) + N.shape[1] * alpha
            require_observed(total, statistics.classes, "examples")
            self.feature_log_prob_.append(log(N + alpha) - np.log(total))

    def _log_likelihood(self, X: Matrix) -> Array:
        X = self._known(X)
        tables = [np.ascontiguousarray(logs.T) for logs in self.feature_log_prob_]
        total = np.zeros((len(X), len(self.classes_)))
        for start in range(0, len(X), ROWS_AT_A_TIME):
            block = np.ascontiguousarray(X[start : start + ROWS_AT_A_TIME].T)
            for column, table in zip(block, tables, strict=True):
                total[start : start + ROWS_AT_A_TIME] += table.take(column, axis=0)
        return total

    def _indicators(self, X: Matrix) -> sparse.csr_array:
        """One column for each category of each feature, 1 where x has it."""
        X = self._known(self._valid(X))
        first = np.concatenate([[0], np.cumsum(self.n_categories_)])
        m, n = X.shape
        columns = (X + first[:-1]).ravel()
        return sparse.csr_array((np.ones(m * n), columns, np.arange(0, m * n + 1, n)), shape=(m, first[-1]))

    def _known(self, X: Matrix) -> Indices:
        X = self._events(X)
        unknown = (X >= self.n_categories_).any(axis=0)
        if unknown.any():
            n = np.flatnonzero(unknown)[0]
            raise ValueError(
                f"feature {n} has the category {X[:, n].max()}, but the model knows only {self.n_categories_[n]}, "
                "from 0 on: give min_categories= if there are more than the training data show"
            )
        return X

    def _least_categories(self, n_features: int) -> Indices:
        least = np.asarray(1 if self.min_categories is None else self.min_categories)
        if least.dtype.kind not in "iu" or least.shape not in ((), (n_features,)) or (least < 1).any():
            raise ValueError(
                f"min_categories must be a whole number of at least 1, or one for each of {n_features} features, "
                f"received {self.min_categories!r}"
            )
        return np.broadcast_to(least, n_features)

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Matrix:
        X = np.empty((len(codes), self.n_features_in_), dtype=np.intp)
        for j in np.unique(codes):
            own = np.flatnonzero(codes == j)
            for n, logs in enumerate(self.feature_log_prob_):
                X[own, n] = rng.choice(logs.shape[1], size=len(own), p=np.exp(logs[j]))
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
