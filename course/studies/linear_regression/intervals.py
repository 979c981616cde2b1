"""How far a fitted mean and a new response may be from the line."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """Least squares with its uncertainty: R of X = Q R, θ, the variance s² and its degrees of freedom m - n."""

    R: Array
    theta: Array
    variance: float
    freedom: int

    @classmethod
    def of(cls, X: Array, y: Array) -> Self:
        """X : with the column of ones, shape (m, n). y : shape (m,)."""
        Q, R = np.linalg.qr(X)
        theta = np.linalg.solve(R, Q.T @ y)
        freedom = len(y) - X.shape[1]
        return cls(R, theta, float(np.sum((y - X @ theta) ** 2)) / freedom, freedom)

    def reach_of_mean(self, at: Array, level: float) -> Array:
        """Half the length of the confidence interval for the mean at rows `at`, shape (k, n). Shape (k,)."""
        return self._quantile(level) * np.sqrt(self.variance * self._leverage(at))

    def reach_of_response(self, at: Array, level: float) -> Array:
        """Half the length of the prediction interval for a new response at rows `at`, shape (k, n). Shape (k,)."""
        return self._quantile(level) * np.sqrt(self.variance * (1 + self._leverage(at)))

    def _leverage(self, at: Array) -> Array:
        """x^T (X^T X)^-1 x for each row x: with X^T X = R^T R it is |R^-T x|²."""
        return np.sum(np.linalg.solve(self.R.T, at.T) ** 2, axis=0)

    def _quantile(self, level: float) -> float:
        return float(stats.t.ppf((1 + level) / 2, self.freedom))


def covered_when_left_out(X: Array, y: Array, level: float) -> NDArray[np.bool_]:
    """Whether each response lies within the prediction interval of a fit to all the others. Shape (m,)."""
    inside = np.zeros(len(y), dtype=bool)
    for i in range(len(y)):
        fit = Fit.of(np.delete(X, i, axis=0), np.delete(y, i))
        reach = fit.reach_of_response(X[[i]], level)[0]
        inside[i] = abs(y[i] - X[i] @ fit.theta) <= reach
    return inside
