"""Links g between the mean of the answer and the linear predictor: z = g(μ), and the response μ = g^-1(z)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log1p, logit, ndtr, ndtri

Array = NDArray[np.float64]


class Link(ABC):
    """z = g(μ), elementwise and strictly monotone."""

    @abstractmethod
    def of(self, mu: Array) -> Array:
        """z = g(μ)."""

    @abstractmethod
    def inverse(self, z: Array) -> Array:
        """μ = g^-1(z)."""

    @abstractmethod
    def derivative(self, z: Array) -> Array:
        """dμ/dz."""


@dataclass(frozen=True)
class Identity(Link):
    """z = μ."""

    def of(self, mu: Array) -> Array:
        """μ."""
        return mu + 0.0

    def inverse(self, z: Array) -> Array:
        """z."""
        return z + 0.0

    def derivative(self, z: Array) -> Array:
        """1."""
        return np.ones_like(z)


@dataclass(frozen=True)
class Log(Link):
    """z = log μ."""

    def of(self, mu: Array) -> Array:
        """log μ."""
        return np.log(mu)

    def inverse(self, z: Array) -> Array:
        """e^z."""
        with np.errstate(over="ignore"):
            return np.exp(z)

    def derivative(self, z: Array) -> Array:
        """e^z."""
        return self.inverse(z)


@dataclass(frozen=True)
class Logit(Link):
    """z = log(μ / (1 - μ))."""

    def of(self, mu: Array) -> Array:
        """log(μ / (1 - μ))."""
        return logit(mu)

    def inverse(self, z: Array) -> Array:
        """1 / (1 + e^-z)."""
        return expit(z)

    def derivative(self, z: Array) -> Array:
        """μ (1 - μ)."""
        return expit(z) * expit(-z)


@dataclass(frozen=True)
class Probit(Link):
    """z = Φ^-1(μ), with Φ the distribution function of the standard normal."""

    def of(self, mu: Array) -> Array:
        """Φ^-1(μ)."""
        return ndtri(mu)

    def inverse(self, z: Array) -> Array:
        """Φ(z)."""
        return ndtr(z)

    def derivative(self, z: Array) -> Array:
        """The density of the standard normal."""
        return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True)
class CLogLog(Link):
    """z = log(-log(1 - μ)), the complementary log-log."""

    def of(self, mu: Array) -> Array:
        """log(-log(1 - μ))."""
        return np.log(-log1p(-mu))

    def inverse(self, z: Array) -> Array:
        """1 - exp(-e^z)."""
        with np.errstate(over="ignore"):
            return -np.expm1(-np.exp(z))

    def derivative(self, z: Array) -> Array:
        """exp(z - e^z)."""
        with np.errstate(over="ignore"):
            return np.exp(z - np.exp(z))


@dataclass(frozen=True)
class Inverse(Link):
    """z = 1 / μ."""

    def of(self, mu: Array) -> Array:
        """1 / μ."""
        return 1 / mu

    def inverse(self, z: Array) -> Array:
        """1 / z."""
        with np.errstate(divide="ignore"):
            return 1 / z

    def derivative(self, z: Array) -> Array:
        """-1 / z²."""
        with np.errstate(divide="ignore"):
            return -1 / z**2


@dataclass(frozen=True)
class Sqrt(Link):
    """z = √μ."""

    def of(self, mu: Array) -> Array:
        """√μ."""
        return np.sqrt(mu)

    def inverse(self, z: Array) -> Array:
        """z²."""
        return z**2

    def derivative(self, z: Array) -> Array:
        """2 z."""
        return 2 * z
