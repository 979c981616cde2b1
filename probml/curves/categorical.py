"""Categorical naive Bayes for a batch of training parts."""

from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_number, require_prior
from probml.curves.parts import Fit, Parts, log_prior
from probml.curves.scores import LinearScores
from probml.errors import ParameterError
from probml.typing import Array


@dataclass(frozen=True)
class CategoryScores:
    """Linear scores of indicators: one for each category of each feature. categories : k_n, shape (n,)."""

    linear: LinearScores
    categories: tuple[int, ...]

    def of(self, D: Array, some: slice) -> Array:
        """Scores of rows of categories, shape (u, n)."""
        return self.linear.of(indicators(D, self.categories), some)

    def rounding(self, D: Array) -> Array:
        """As for any linear scores."""
        return self.linear.rounding(indicators(D, self.categories))

    def width(self, n: int) -> int:
        """As for any linear scores."""
        return self.linear.width(n)


@dataclass(frozen=True)
class CategoricalNB:
    r"""`probml.naive_bayes.CategoricalNB` of many parts.

    .. math::
        p(x_n = c \mid y = k) = \frac{N_{knc} + \alpha}{N_k + k_n \alpha}, \quad
        \pi_k = \frac{N_k + \alpha}{m + K \alpha}

    X holds whole numbers 0, ..., k_n - 1 that name categories. categories : k_n for each feature; a part may lack some.
    prior_alpha : another smoothing of the prior; 0 is maximum likelihood, infinite a uniform prior.
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

    def fit(self, parts: Parts) -> Fit:
        """All parts at once."""
        N = parts.class_count
        B, m, n = parts.X.shape
        events = indicators(parts.X.reshape(B * m, n), self.categories).reshape(B, m, -1)
        k = np.array(self.categories)
        total = np.log(N[:, :, None] + k * self.alpha)
        coef = np.log(parts.members @ events + self.alpha) - np.repeat(total, k, axis=2)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        return Fit({"": CategoryScores(LinearScores.of_classes(coef, prior), self.categories)})


def indicators(X: Array, categories: tuple[int, ...]) -> Array:
    """A column for each category of each feature, 1 where the row has it. Shape (u, sum of k_n)."""
    return np.concatenate([x[:, None] == np.arange(k) for x, k in zip(X.T, categories, strict=True)], axis=1).astype(
        np.float64
    )
