"""Prediction intervals for counts, by what a model says about the spread around its mean."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]


def gaussian_interval(mu: Array, variance: float, level: float) -> tuple[Array, Array]:
    """Central interval of N(μ, σ²), shape (m,) twice."""
    reach = stats.norm.ppf((1 + level) / 2) * np.sqrt(variance)
    return mu - reach, mu + reach


def poisson_interval(mu: Array, level: float) -> tuple[Array, Array]:
    """Central interval of the Poisson distribution: between its (1 ∓ level)/2 quantiles, ends included."""
    return stats.poisson.ppf((1 - level) / 2, mu), stats.poisson.ppf((1 + level) / 2, mu)


def overdispersed_interval(mu: Array, phi: float, level: float) -> tuple[Array, Array]:
    """The same for a count with mean μ and variance φ μ, φ > 1.

    A Poisson count whose rate is drawn from a gamma distribution of shape r = μ / (φ - 1) and mean μ is negative
    binomial, with this mean and variance.
    """
    if not phi > 1:
        raise ValueError(f"a mixture of Poisson distributions has φ > 1, received {phi!r}")
    count = stats.nbinom(mu / (phi - 1), 1 / phi)
    return count.ppf((1 - level) / 2), count.ppf((1 + level) / 2)


def covered(y: Array, interval: tuple[Array, Array]) -> NDArray[np.bool_]:
    """Whether y lies within, ends included. Shape (m,)."""
    low, high = interval
    return (low <= y) & (y <= high)
