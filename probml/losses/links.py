"""Links g between the mean μ of y and the linear predictor, z = g(μ), and their inverses, μ = g^-1(z)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from scipy.special import erfcx, expit, exprel, log_expit, log_ndtr, logit, ndtr, ndtri

from probml.typing import Array


@dataclass(frozen=True)
class Link(ABC):
    """z = g(μ), elementwise and strictly monotone.

    Likelihoods need log μ and log(1 - μ) also where μ rounds to 0 or 1: links whose range is all z give them exactly.
    """

    @abstractmethod
    def of(self, mu: Array) -> Array:
        """z = g(μ)."""

    @abstractmethod
    def inverse(self, z: Array) -> Array:
        """μ = g^-1(z)."""

    @abstractmethod
    def derivative(self, z: Array) -> Array:
        """dμ/dz."""

    def log_inverse(self, z: Array) -> Array:
        """log μ."""
        return np.log(self.inverse(z))

    def log_derivative(self, z: Array) -> Array:
        """d log μ / dz."""
        return self.derivative(z) / self.inverse(z)

    def log_complement(self, z: Array) -> Array:
        """log(1 - μ)."""
        return np.log1p(-self.inverse(z))

    def log_complement_derivative(self, z: Array) -> Array:
        """d log(1 - μ) / dz."""
        return -self.derivative(z) / (1 - self.inverse(z))


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

    def log_inverse(self, z: Array) -> Array:
        """z."""
        return z + 0.0

    def log_derivative(self, z: Array) -> Array:
        """1."""
        return np.ones_like(z)

    def log_complement(self, z: Array) -> Array:
        """log(1 - e^z), z < 0: 1 - e^z cancels for small |z|, and rounds to 1 for large |z|."""
        return np.where(z > -1, np.log(-np.expm1(z)), np.log1p(-self.inverse(z)))

    def log_complement_derivative(self, z: Array) -> Array:
        """-1 / (e^-z - 1)."""
        with np.errstate(over="ignore"):
            return -1 / np.expm1(-z)


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

    def log_inverse(self, z: Array) -> Array:
        """-log(1 + e^-z)."""
        return log_expit(z)

    def log_derivative(self, z: Array) -> Array:
        """1 - μ."""
        return expit(-z)

    def log_complement(self, z: Array) -> Array:
        """-log(1 + e^z)."""
        return log_expit(-z)

    def log_complement_derivative(self, z: Array) -> Array:
        """-μ."""
        return -expit(z)


class Probit(Link):
    """z = Φ^-1(μ), with Φ the distribution function of the standard normal."""

    def of(self, mu: Array) -> Array:
        """Φ^-1(μ)."""
        return ndtri(mu)

    def inverse(self, z: Array) -> Array:
        """Φ(z)."""
        return ndtr(z)

    def derivative(self, z: Array) -> Array:
        """φ(z), the density of the standard normal."""
        with np.errstate(over="ignore"):
            return np.exp(-(z**2) / 2) / sqrt(2 * pi)

    def log_inverse(self, z: Array) -> Array:
        """log Φ(z)."""
        return log_ndtr(z)

    def log_derivative(self, z: Array) -> Array:
        """φ(z) / Φ(z), with Φ(z) = e^(-z²/2) erfcx(-z / √2) / 2: the exponentials cancel."""
        return sqrt(2 / pi) / erfcx(-z / sqrt(2))

    def log_complement(self, z: Array) -> Array:
        """log Φ(-z)."""
        return self.log_inverse(-z)

    def log_complement_derivative(self, z: Array) -> Array:
        """-φ(z) / Φ(-z)."""
        return -self.log_derivative(-z)


class CLogLog(Link):
    """z = log(-log(1 - μ)), the complementary log-log."""

    def of(self, mu: Array) -> Array:
        """log(-log(1 - μ))."""
        return np.log(-np.log1p(-mu))

    def inverse(self, z: Array) -> Array:
        """1 - exp(-e^z)."""
        with np.errstate(over="ignore"):
            return -np.expm1(-np.exp(z))

    def derivative(self, z: Array) -> Array:
        """exp(z - e^z)."""
        with np.errstate(over="ignore"):
            return np.exp(z - np.exp(z))

    def log_inverse(self, z: Array) -> Array:
        """log(1 - exp(-e^z)): z + log((1 - exp(-e^z)) / e^z) where e^z is small and may round to 0."""
        with np.errstate(over="ignore"):
            rate = np.exp(z)
        return np.where(z < 0, z + np.log(exprel(-np.minimum(rate, 1.0))), np.log1p(-np.exp(-np.maximum(rate, 1.0))))

    def log_derivative(self, z: Array) -> Array:
        """e^z / (exp(e^z) - 1)."""
        with np.errstate(over="ignore"):
            return 1 / exprel(np.exp(z))

    def log_complement(self, z: Array) -> Array:
        """-e^z."""
        with np.errstate(over="ignore"):
            return -np.exp(z)

    def log_complement_derivative(self, z: Array) -> Array:
        """-e^z."""
        return self.log_complement(z)


class Inverse(Link):
    """z = 1 / μ."""

    def of(self, mu: Array) -> Array:
        """1 / μ."""
        return 1 / mu

    def inverse(self, z: Array) -> Array:
        """1 / z."""
        with np.errstate(divide="ignore", over="ignore"):
            return 1 / z

    def derivative(self, z: Array) -> Array:
        """-1 / z²."""
        with np.errstate(divide="ignore", over="ignore"):
            return -1 / z**2

    def log_derivative(self, z: Array) -> Array:
        """-1 / z."""
        return -1 / z
