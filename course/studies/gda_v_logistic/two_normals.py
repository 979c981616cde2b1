"""Two normal classes with one covariance: the case in which both models are right."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from probml.curves.subsets import Subsets

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TwoNormals:
    """x | y ~ Normal(±Δ/2 e_1, I_n) with + for y = 1, P(y = 1) = prior.

    Every pair of normal distributions with a common covariance has this form in suitable coordinates, and both models
    are the same in all coordinates. The log odds are λ + Δ x_1 with λ = log(prior / (1 - prior)).
    """

    delta: float
    prior: float = 0.5
    n: int = 1

    def __post_init__(self) -> None:
        if not (0 <= self.delta < np.inf and 0 < self.prior < 1 and self.n >= 1):
            raise ValueError(
                f"needs delta of at least 0, a prior between 0 and 1 and n of at least 1; received {self.delta!r}, "
                f"{self.prior!r} and {self.n!r}"
            )

    @property
    def priors(self) -> Array:
        """P(y = 0) and P(y = 1)."""
        return np.array([1 - self.prior, self.prior])

    @property
    def log_prior_odds(self) -> float:
        """λ."""
        return float(np.log(self.prior) - np.log1p(-self.prior))

    @property
    def means(self) -> Array:
        """μ_0 and μ_1, shape (2, n)."""
        mu = np.zeros((2, self.n))
        mu[:, 0] = -self.delta / 2, self.delta / 2
        return mu

    @property
    def theta(self) -> Array:
        """Intercept and weights of the log odds, shape (n + 1,)."""
        return np.array([self.log_prior_odds, self.delta, *[0.0] * (self.n - 1)])

    def error(self, theta: NDArray) -> NDArray:
        """P(the rule b + w · x > 0 is wrong), exactly. theta = (b, w), shape (..., n + 1); complex numbers will do."""
        b, w = theta[..., 0], theta[..., 1:]
        length = np.sqrt((w * w).sum(axis=-1))
        low, high = ((b + w @ mu) / length for mu in self.means)
        return self.priors[0] * ndtr(low) + self.priors[1] * ndtr(-high)

    @cached_property
    def bayes_error(self) -> float:
        """The smallest error that any rule has."""
        return float(self.error(self.theta))

    def draw(self, samples: int, m: int, rng: np.random.Generator) -> Subsets:
        """Training subsets of m examples each; the number of either class is random."""
        y = (rng.random((samples, m)) < self.prior).astype(np.intp)
        X = rng.standard_normal((samples, m, self.n))
        X[:, :, 0] += (y - 0.5) * self.delta
        return Subsets(X, y, 2)
