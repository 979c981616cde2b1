"""k-valued features: one categorical distribution for each feature and class."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from probml.generative import ClassStatistics, Generative, LinearPosterior
from probml.inputs import parameters
from probml.naive_bayes.base import DiscreteNB, log_shares
from probml.naive_bayes.linear import finite_weights

TOO_LARGE = 2**31  # for a category: there is a count of every whole number up to the largest one
BLOCK = 4096  # rows whose log likelihoods are summed at a time


@dataclass(frozen=True, eq=False)
class CategoryCounts(ClassStatistics):
    """category_count : for each feature, the count of each of its categories in class j, shape (K, k)."""

    category_count: list[NDArray[np.float64]]

    def _plus(self, other: Self) -> Self:
        summed = []
        for ours, theirs in zip(self.category_count, other.category_count, strict=True):
            k = max(ours.shape[1], theirs.shape[1])
            summed.append(widened(ours, k) + widened(theirs, k))
        return replace(self, class_count=self.class_count + other.class_count, category_count=summed)

    def _spread(self, spread: Callable[[NDArray], NDArray]) -> dict[str, object]:
        return {"category_count": [spread(count) for count in self.category_count]}


def widened(count: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Counts, shape (K, .), of at least k categories: those that are new here have not been seen."""
    if count.shape[1] >= k:
        return count
    wider = np.zeros((len(count), k))
    wider[:, : count.shape[1]] = count
    return wider


@parameters
class CategoricalNB(Generative, DiscreteNB):
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
        weights = finite_weights(np.concatenate(self.feature_log_prob_, axis=1), self.class_log_prior_)
        return LinearPosterior(self.classes_, *weights, copy(self)._indicators)

    def _kind(self) -> str:
        return "counts of categories"

    def _events(self, X: NDArray) -> NDArray[np.intp]:
        if X.dtype.kind not in "biuf":
            raise ValueError(
                f"X must hold whole numbers that name categories, received {X.flat[0]!r}: number them, for example by "
                "scikit-learn's OrdinalEncoder"
            )
        check_non_negative(X, f"{type(self).__name__} (input X are categories 0, 1, ...)")
        if X.dtype.kind == "f" and not (whole := X == np.floor(X)).all():
            raise ValueError(f"X must hold whole numbers that name categories, received {X[~whole][0]}")
        if (largest := int(X.max())) >= TOO_LARGE:
            raise ValueError(f"X has the category {largest:.6g}, too large a number: number them anew, 0, 1, ...")
        return X.astype(np.intp, copy=False)

    def _collect(
        self, X: NDArray, codes: NDArray[np.intp], classes: NDArray, weight: NDArray[np.float64] | None
    ) -> CategoryCounts:
        X, K = self._events(X), len(classes)
        counts = [
            np.bincount(codes * k + column, weight, K * k).reshape(K, k).astype(np.float64)
            for column, k in zip(X.T, X.max(axis=0) + 1, strict=True)
        ]
        class_count = np.bincount(codes, weight, K).astype(np.float64)
        return CategoryCounts(self._kind(), classes, class_count, X.shape[1], counts)

    def _estimate(self, statistics: CategoryCounts) -> dict[str, object]:
        fewest = np.broadcast_to(self._fewest(statistics.n_features), statistics.n_features)
        statistics = replace(
            statistics,
            category_count=[widened(count, k) for count, k in zip(statistics.category_count, fewest, strict=True)],
        )
        return {
            "class_log_prior_": self._checked_log_prior(statistics.class_count),
            "class_count_": statistics.class_count,
            "category_count_": statistics.category_count,
            "n_categories_": np.array([count.shape[1] for count in statistics.category_count]),
            "alpha_": (alpha := self._checked_alpha(statistics.n_features)),
            **self._smoothed(statistics, alpha),
        }

    def _smoothed(self, statistics: CategoryCounts, alpha: NDArray[np.float64]) -> dict[str, object]:
        if alpha.ndim:
            raise ValueError(f"alpha must be one number for all categories, received {self.alpha!r}")
        most = max(count.shape[1] for count in statistics.category_count)
        with np.errstate(over="ignore"):
            largest = statistics.class_count.sum() + most * alpha
        if not np.isfinite(largest):
            raise ValueError("the counts, or alpha, add up to more than a floating-point number can hold: rescale them")
        return {
            "feature_log_prob_": [
                log_shares(
                    count,
                    alpha,
                    count.sum(axis=1, keepdims=True) + count.shape[1] * alpha,
                    statistics.classes,
                    "examples",
                )
                for count in statistics.category_count
            ]
        }

    def _log_likelihood(self, X: NDArray) -> NDArray[np.float64]:
        X = self._known(X)
        tables = [np.ascontiguousarray(logs.T) for logs in self.feature_log_prob_]
        total = np.zeros((len(X), len(self.classes_)))
        for start in range(0, len(X), BLOCK):
            block = np.ascontiguousarray(X[start : start + BLOCK].T)
            for column, table in zip(block, tables, strict=True):
                total[start : start + BLOCK] += table.take(column, axis=0)
        return total

    def _indicators(self, X: NDArray) -> sparse.csr_array:
        """One column for each category of each feature, 1 where x has it."""
        X = self._known(self._valid(X))
        first = np.concatenate([[0], np.cumsum(self.n_categories_)])
        m, n = X.shape
        columns = (X + first[:-1]).ravel()
        return sparse.csr_array((np.ones(m * n), columns, np.arange(0, m * n + 1, n)), shape=(m, first[-1]))

    def _known(self, X: NDArray) -> NDArray[np.intp]:
        X = self._events(X)
        unknown = (X >= self.n_categories_).any(axis=0)
        if unknown.any():
            n = np.flatnonzero(unknown)[0]
            raise ValueError(
                f"feature {n} has the category {X[:, n].max()}, but the model knows only {self.n_categories_[n]}, "
                "from 0 on: give min_categories= if there are more than the training data show"
            )
        return X

    def _fewest(self, n_features: int) -> NDArray[np.intp]:
        fewest = np.asarray(1 if self.min_categories is None else self.min_categories)
        if fewest.dtype.kind not in "iu" or fewest.shape not in ((), (n_features,)) or (fewest < 1).any():
            raise ValueError(
                f"min_categories must be a whole number of at least 1, or one for each of {n_features} features, "
                f"received {self.min_categories!r}"
            )
        return fewest

    def _draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
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
