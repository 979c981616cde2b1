"""k-valued features: one categorical distribution for each feature and class."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.validation import check_non_negative

from probml.families.base import log
from probml.generative import Generative, LinearPosterior
from probml.inputs import parameters
from probml.naive_bayes.base import Counts, DiscreteNB, require_observed
from probml.threads import by_blocks
from probml.typing import Array, Indices, Labels, Matrix

CATEGORIES_LIMIT = 2**31  # there is a count of every whole number up to the largest one


@dataclass(frozen=True, eq=False)
class CategoryCounts(Counts):
    """feature_count : N_jnc, the categories of a feature side by side, shape (K, sum of k_n). n_categories : k_n."""

    n_categories: Indices

    def _plus(self, other: Self) -> Self:
        ours, theirs = self.widened(other.n_categories), other.widened(self.n_categories)
        return Counts._plus(ours, theirs)

    def widened(self, least: Indices) -> Self:
        """With at least so many categories of each feature, shape (n,): those that are new have not been seen."""
        k = np.maximum(self.n_categories, least)
        if (k == self.n_categories).all():
            return self
        category = np.arange(k.sum()) - np.repeat(np.cumsum(k) - k, k)
        wider = np.zeros((len(self.classes), len(category)))
        wider[:, category < np.repeat(self.n_categories, k)] = self.feature_count
        return replace(self, feature_count=wider, n_categories=k)


@parameters
class CategoricalNB(Generative[CategoryCounts], DiscreteNB[CategoryCounts]):
    r"""Categorical naive Bayes with add-alpha smoothing.

    .. math::
        \log p(x \mid y = j) = \sum_n \log p(x_n \mid y = j), \quad
        p(x_n = c \mid y = j) = \frac{N_{jnc} + \alpha}{N_j + k_n \alpha}

    where N_jnc counts the examples of class j whose feature n has category c, out of k_n. Each feature of a class is of
    the family `probml.families.Categorical`, whose formulas are written here for the whole matrix at once.

    X : dense, shape (m, n), whole numbers 0, 1, ..., k_n - 1 that name categories.

    Parameters
    ----------
    alpha : pseudo-count added to every category. 0 is maximum likelihood.
    force_alpha, fit_prior, class_prior : as in MultinomialNB.
    min_categories : smallest number of categories of every feature, or of each feature, shape (n,). By default the
        largest category that was seen is the last. A category beyond that cannot be predicted from.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), class_log_prior_ (K,), n_categories_ (n,), category_count_ and feature_log_prob_ =
    lists of n arrays (K, k_n), alpha_ = the smoothing that was used, statistics_
    """

    _checks = {"dtype": "numeric", "accept_sparse": False}  # noqa: RUF012
    _input_tags = {"sparse": False, "positive_only": True, "categorical": True}  # noqa: RUF012

    min_categories: int | ArrayLike | None = None

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of indicators: w_j,nc = log p(x_n = c | y = j), b_j = log pi_j."""
        self._check_estimated()
        model = copy(self)
        return LinearPosterior(
            self.classes_,
            np.concatenate(self.feature_log_prob_, axis=1),
            self.class_log_prior_,
            lambda X: model._indicators(model._known(model._valid(X))),
        )

    def _indicators(self, X: Indices) -> sparse.csr_array:
        """One column for each category of each feature, 1 where x has it."""
        (m, n), k = X.shape, self.n_categories_
        columns = (X + np.cumsum(k) - k).ravel()
        return sparse.csr_array((np.ones(m * n), columns, np.arange(0, m * n + 1, n)), shape=(m, k.sum()))

    def _kind(self) -> str:
        return "counts of categories"

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> CategoryCounts:
        """N_jnc, feature by feature."""
        X, largest = self._categories(X)
        k, K = largest + 1, len(classes)
        counts = [np.bincount(codes * k_n + x, weight, K * k_n).reshape(K, k_n) for x, k_n in zip(X.T, k, strict=True)]
        class_count = np.bincount(codes, weight, K).astype(np.float64)
        feature_count = np.concatenate(counts, axis=1, dtype=np.float64)
        return CategoryCounts(self._kind(), classes, class_count, X.shape[1], feature_count, k)

    def _categories(self, X: Labels) -> tuple[Indices, Indices]:
        """X as whole numbers, and the largest of each feature, shape (n,)."""
        if X.dtype.kind not in "biuf":
            raise ValueError(
                f"X must hold whole numbers that name categories, received {X.flat[0]!r}: number them, for example by "
                "scikit-learn's OrdinalEncoder"
            )
        if X.min() < 0:
            check_non_negative(X, f"{type(self).__name__} (input X are categories 0, 1, ...)")
        if X.dtype.kind == "f" and not (whole := X == np.floor(X)).all():
            raise ValueError(f"X must hold whole numbers that name categories, received {X[~whole][0]}")
        largest = X.max(axis=0)
        if (most := int(largest.max())) >= CATEGORIES_LIMIT:
            raise ValueError(f"X has the category {most:.6g}, too large a number: number them anew, 0, 1, ...")
        return X.astype(np.intp, copy=False), largest.astype(np.intp)

    def _known(self, X: Matrix) -> Indices:
        """The categories, if the model has a probability for each."""
        X, largest = self._categories(X)
        if (unknown := largest >= self.n_categories_).any():
            n = np.flatnonzero(unknown)[0]
            raise ValueError(
                f"feature {n} has the category {largest[n]}, but the model knows only {self.n_categories_[n]}, "
                "from 0 on: give min_categories= if there are more than the training data show"
            )
        return X

    def _estimate(self, statistics: CategoryCounts) -> None:
        """log p(x_n = c | y = j) = log(N_jnc + alpha) - log(N_jn + k_n alpha), where N_jn sums over the categories."""
        least, n = np.asarray(1 if self.min_categories is None else self.min_categories), statistics.n_features
        if least.dtype.kind not in "iu" or least.shape not in ((), (n,)) or (least < 1).any():
            raise ValueError(
                f"min_categories must be a whole number of at least 1, or one for each of {n} features, "
                f"received {self.min_categories!r}"
            )
        statistics = statistics.widened(least.astype(np.intp))
        super()._estimate(statistics)
        if (alpha := self.alpha_).ndim:
            raise ValueError(f"alpha must be one number for all categories, received {self.alpha!r}")
        self.n_categories_ = k = statistics.n_categories
        self.category_count_ = np.split(statistics.feature_count, np.cumsum(k)[:-1], axis=1)
        self.feature_log_prob_ = []
        for N in self.category_count_:
            total = N.sum(axis=1, keepdims=True) + N.shape[1] * alpha
            require_observed(total, statistics.classes, "examples")
            self.feature_log_prob_.append(log(N + alpha) - np.log(total))

    def _log_likelihood(self, X: Matrix) -> Array:
        """sum_n log p(x_n | y = j)."""
        X, tables = self._known(X), [log_p.T.copy() for log_p in self.feature_log_prob_]
        total = np.zeros((len(X), len(self.classes_)))

        def of_rows(rows: slice) -> None:
            for x, log_p in zip(X[rows].T.copy(), tables, strict=True):
                total[rows] += log_p.take(x, axis=0)

        by_blocks(of_rows, *X.shape)
        return total

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Matrix:
        X = np.empty((len(codes), self.n_features_in_), dtype=np.intp)
        for j in np.unique(codes):
            own = np.flatnonzero(codes == j)
            for n, logs in enumerate(self.feature_log_prob_):
                X[own, n] = rng.choice(logs.shape[1], size=len(own), p=np.exp(logs[j]))
        return X
