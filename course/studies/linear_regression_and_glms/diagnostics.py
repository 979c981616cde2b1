"""Is the spread of the counts what the model says, and what are its standard errors worth?"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import kl_div

Array = NDArray[np.float64]


def deviance_residuals(y: Array, mu: Array) -> Array:
    """sign(y - μ) √(2 [y log(y / μ) - y + μ]), shape (m,): squared they add up to the deviance of the Poisson model."""
    return np.sign(y - mu) * np.sqrt(2 * kl_div(y, mu))


def dispersion(y: Array, mu: Array, parameters: int) -> float:
    """φ = sum_i (y_i - μ_i)² / μ_i / (m - p): 1 if the counts are Poisson."""
    return float(np.sum((y - mu) ** 2 / mu) / (len(y) - parameters))


def errors_by_group(X: Array, y: Array, mu: Array, group: NDArray[np.intp]) -> Array:
    """Standard errors of Poisson regression if only the groups are independent. X : with the column of ones.

        B^-1 (sum_g u_g u_g^T) B^-1,     u_g = sum_(i in g) (y_i - μ_i) x_i,     B = X^T diag(μ) X

    They ask nothing of the variance of y, nor of the dependence within a group. Shape (p,).
    """
    _, code = np.unique(group, return_inverse=True)
    scores = np.zeros((code.max() + 1, X.shape[1]))
    np.add.at(scores, code, (y - mu)[:, None] * X)
    spread = cho_solve(cho_factor(X.T @ (X * mu[:, None])), scores.T)
    return np.sqrt(np.sum(spread**2, axis=1))


def resampled_groups(group: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """Rows of as many groups as there are, drawn with replacement."""
    order = np.argsort(group, kind="stable")
    rows = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return np.concatenate([rows[g] for g in rng.integers(len(rows), size=len(rows))])


def interval_by_groups(
    statistic: Callable[[NDArray[np.intp]], Array], group: NDArray[np.intp], draws: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """2.5 % and 97.5 % quantiles of `statistic(rows)` over resampled groups."""
    values = np.array([statistic(resampled_groups(group, rng)) for _ in range(draws)])
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    return low, high


def spread_by_mean(y: Array, mu: Array, bins: int) -> tuple[Array, Array]:
    """Mean of μ and of (y - μ)² in bins of about equally many examples, ordered by μ. Shapes (bins,)."""
    parts = np.array_split(np.argsort(mu, kind="stable"), bins)
    return np.array([mu[rows].mean() for rows in parts]), np.array([np.mean((y - mu)[rows] ** 2) for rows in parts])
