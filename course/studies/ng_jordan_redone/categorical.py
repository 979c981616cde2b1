"""Naive Bayes of categories for a batch of training subsets: a model of learning curves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled
from probml.curves.checks import require_number, require_prior
from probml.curves.scores import LinearScores
from probml.curves.subsets import Fit, Subsets, log_prior
from probml.errors import ParameterError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CategoricalNB:
    r"""`probml.naive_bayes.CategoricalNB` of many training subsets.

    .. math::
        p(x_n = c \mid y = k) = \frac{N_{knc} + \alpha}{N_k + k_n \alpha}, \quad
        \pi_k = \frac{N_k + \alpha}{m + K \alpha}

    X holds whole numbers 0, ..., k_n - 1 that name categories, of which a subset may lack some.
    categories : k_n for each feature.
    prior_alpha : as of `probml.curves.BernoulliNB`.
    """

    categories: tuple[int, ...]
    alpha: float = 1.0
    prior_alpha: float | None = None

    def __post_init__(self) -> None:
        require_number("alpha", self.alpha, positive=True)
        if self.prior_alpha is not None:
            require_prior(self.prior_alpha)

    def check(self, X: Array, K: int) -> None:
        """Whole numbers below the number of categories."""
        if len(self.categories) != X.shape[1]:
            raise ParameterError(f"categories is for {len(self.categories)} features, but X has {X.shape[1]}")
        other = (X < 0) | (X >= np.array(self.categories)) | (X != np.floor(X))
        if other.any():
            n = np.argwhere(other)[0, 1]
            raise ParameterError(
                f"CategoricalNB needs whole numbers from 0 to {self.categories[n] - 1} in column {n}, received "
                f"{X[other][0]:g}: number the categories, or give more of them"
            )

    def fit(self, subsets: Subsets) -> Fit:
        """Linear in indicators of the categories: log p(x_n = c | y = k) is the coefficient."""
        N = subsets.class_count
        B, m, n = subsets.X.shape
        events = _indicators(subsets.X.reshape(B * m, n), self.categories).reshape(B, m, -1)
        k = np.array(self.categories)
        total = np.log(N[:, :, None] + k * self.alpha)
        coef = np.log(subsets.members @ events + self.alpha) - np.repeat(total, k, axis=2)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        linear = LinearScores.of_classes(coef, prior)
        return Fit({"": CategoryScores(linear.coef, linear.intercept, self.categories)})


@dataclass(frozen=True)
class CategoryScores(LinearScores):
    """Linear scores of indicators: one for each category of each feature. categories : k_n, shape (n,)."""

    categories: tuple[int, ...]

    def of(self, D: Array, some: slice) -> Array:
        """Scores of rows of categories, shape (u, n): sums of coefficients, one for each feature."""
        first = np.cumsum((0, *self.categories[:-1]))
        columns = np.ascontiguousarray(D.T, dtype=np.intp) + first[:, None]
        return _sums(self.coef[some], columns) + self.intercept[some][:, :, None]

    def rounding(self, largest: Array) -> Array:
        """As for any linear scores, of indicators."""
        return super().rounding(np.ones(self.coef.shape[2]))


@compiled
def _sums(coef: Array, columns: NDArray[np.intp]) -> Array:
    """sum_n coef_bv,c with the column c that each row has for feature n. columns : shape (n, u). Shape (b, V, u)."""
    b, V, _ = coef.shape
    sums = np.zeros((b, V, columns.shape[1]))
    for model in range(b):
        for v in range(V):
            own, score = coef[model, v], sums[model, v]
            for of_feature in columns:
                for i in range(len(score)):
                    score[i] += own[of_feature[i]]
    return sums


def _indicators(X: Array, categories: tuple[int, ...]) -> Array:
    """A column for each category of each feature, 1 where the row has it. Shape (rows, sum of k_n)."""
    columns = [x[:, None] == np.arange(k) for x, k in zip(X.T, categories, strict=True)]
    return np.concatenate(columns, axis=1).astype(np.float64)
