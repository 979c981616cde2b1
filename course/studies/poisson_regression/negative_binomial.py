"""Negative binomial regression: Poisson counts whose rate is drawn from a gamma distribution around the mean.

p(y) = Γ(y + r) / (y! Γ(r)) · (r / (r + μ))^r · (μ / (r + μ))^y,     r = 1 / α,     Var y = μ + α μ²
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

Array = NDArray[np.float64]
ROUNDS = 100  # of alternating between coefficients and α, at most
BOUNDS = np.log([1e-8, 1e3])  # of log α
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class NegativeBinomial:
    """Coefficients θ, the last of which is the intercept, shape (p,), and α."""

    theta: Array
    alpha: float

    def predict(self, X: Array) -> Array:
        """The mean. X : with a last column of ones, shape (m, p)."""
        return np.exp(X @ self.theta)


def log_likelihood(y: Array, mu: Array, alpha: float) -> float:
    """Σ log p(y_i)."""
    r = 1 / alpha
    constant = gammaln(y + r) - gammaln(r) - gammaln(y + 1)
    return float(np.sum(constant - r * np.log1p(mu / r) + y * (np.log(mu) - np.log(r + mu))))


def most_likely_alpha(y: Array, mu: Array) -> float:
    """The α of the largest likelihood for given means."""
    found = minimize_scalar(
        lambda log_alpha: -log_likelihood(y, mu, np.exp(log_alpha)),
        bounds=BOUNDS,
        method="bounded",
        options={"xatol": 1e-11},
    )
    return float(np.exp(found.x))


def fit(X: Array, y: Array, theta: Array) -> NegativeBinomial:
    """Maximum likelihood, by turns in α and in θ. X : with a last column of ones; theta : where to begin.

    For given α the gradient is X^T ((y - μ) / (1 + α μ)), and a step of Fisher's scoring divides it by its covariance,
    X^T diag(μ / (1 + α μ)) X.
    """
    for _ in range(ROUNDS):
        mu = np.exp(X @ theta)
        alpha = most_likely_alpha(y, mu)
        denominator = 1 + alpha * mu
        step = np.linalg.solve((X.T * (mu / denominator)) @ X, X.T @ ((y - mu) / denominator))
        theta = theta + step
        if np.abs(step).max() < TOLERANCE:
            return NegativeBinomial(theta, alpha)
    raise RuntimeError(f"the likelihood has not settled in {ROUNDS} rounds")
