"""The Poisson family: counts with no upper bound."""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.polynomial import polyval
from numpy.typing import ArrayLike
from scipy.special import gammaln

from probml.families.base import OneParameter, Shape, log
from probml.families.checks import is_count, require_not_negative
from probml.typing import Array, Mask


@dataclass(frozen=True)
class Poisson(OneParameter):
    r"""Counts: x in {0, 1, 2, ...}, with the rate λ.

    .. math::
        & p(x \mid \lambda) = \frac{\lambda^x e^{-\lambda}}{x!} = h(x) \exp(\eta x - A(\eta)) \\
        & \eta = \log \lambda, \quad T(x) = x, \quad h(x) = \frac{1}{x!}, \quad
        A(\eta) = A'(\eta) = A''(\eta) = e^\eta = \lambda

    λ = 0 is allowed: η is then -inf, and x = 0 certain.
    """

    support = "an integer of at least 0"
    domain = "a number or -inf"

    def natural(self, *, rate: ArrayLike) -> Array:
        """η = log λ, shape (*batch, 1)."""
        return log(require_not_negative("rate", rate))[..., None]

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"rate": self._mean(eta)}

    def _log_base(self, x: Array) -> Array:
        return -gammaln(x + 1)

    def cumulants(self, theta: ArrayLike) -> tuple[Array, Array, Array]:
        """A = A' = A'' = e^θ."""
        with np.errstate(over="ignore"):
            rate = np.exp(theta)
        return rate, rate, rate

    def _log_density(self, x: Array, eta: Array) -> Array:
        return log_poisson(x, eta[..., 0])

    def _mle(self, count: Array, total: Array) -> Array:
        """λ = mean of x."""
        return log(total / count[..., None])

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        return rng.poisson(self._mean(eta), shape).astype(np.float64)

    def _in_support(self, x: Array) -> Mask:
        return is_count(x)

    def _in_domain(self, eta: Array) -> Mask:
        return eta < np.inf


def log_poisson(x: ArrayLike, log_rate: ArrayLike) -> Array:
    """log(λ^x e^-λ / Γ(x + 1)) for real x ≥ 0 and λ = exp(log_rate) ≥ 0, elementwise.

    For large x near λ the three terms are large and cancel. There, after Loader (2000),

        -D - δ(x) - ½ log(2π x)

    with the deviance D = x log(x / λ) - x + λ and the error of Stirling's formula δ(x) = 1 / (12 x) - ..., all small.
    The densities of the other counts and of the gamma family are made of such terms.
    """
    count, log_rate = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(log_rate, dtype=np.float64))
    with np.errstate(over="ignore", invalid="ignore"):
        rate = np.exp(log_rate)
        log_p = np.array(np.where(count == 0, 0.0, count * log_rate) - rate - gammaln(count + 1))
        near = (count > 15) & (np.abs(count - rate) < 0.1 * (count + rate))
    k, rate = count[near], rate[near]
    log_p[near] = -deviance(k, rate) - stirling_error(k) - 0.5 * np.log(2 * np.pi * k)
    return log_p


def deviance(x: Array, rate: Array) -> Array:
    """D = x log(x / λ) - x + λ = (x + λ) [v² + (1 + v) (artanh v - v)] with v = (x - λ) / (x + λ), for |v| ≤ 0.1."""
    v = (x - rate) / (x + rate)
    series = polyval(v**2, 1 / np.arange(3, 19, 2))  # (artanh v - v) / v³ = 1/3 + v²/5 + v⁴/7 + ...
    return (x + rate) * v**2 * (1 + (1 + v) * v * series)


def stirling_error(x: Array) -> Array:
    """δ(x) = log Γ(x + 1) - (x + ½) log x + x - ½ log 2π, for x > 15, by its asymptotic series."""
    return polyval((1 / x) ** 2, [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360]) / x
