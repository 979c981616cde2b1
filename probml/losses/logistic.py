"""The logistic loss: -log likelihood of the Bernoulli distribution with log odds z."""

import numpy as np
from scipy.special import expit

from probml.losses.base import Loss
from probml.typing import Array, Mask


class Logistic(Loss):
    r"""The logistic loss of y in {0, 1}, with p(y = 1) = σ(z) = 1 / (1 + e^-z).

    .. math::
        l(y, z) = \log(1 + e^z) - y z, \quad l' = \sigma(z) - y, \quad
        l'' = \sigma(z) \sigma(-z) \le \tfrac{1}{4}, \quad
        |l'''| = l'' |1 - 2 \sigma(z)| \le l''
    """

    curvature_bound = 0.25
    self_concordance = 1.0
    responses = "0 or 1"

    def value(self, y: Array, z: Array) -> Array:
        """log(1 + e^z) for y = 0 and log(1 + e^-z) for y = 1: log(1 + e^z) - y z would cancel for large z."""
        return np.logaddexp(0.0, np.where(y == 1, -z, z))

    def gradient(self, y: Array, z: Array) -> Array:
        """σ(z) for y = 0 and -σ(-z) for y = 1: σ(z) - 1 would lose the digits of a small σ(-z)."""
        sign = 1 - 2 * y
        return sign * expit(sign * z)

    def curvature(self, y: Array, z: Array) -> Array:
        """σ(z) σ(-z)."""
        return expit(z) * expit(-z)

    def value_and_gradient(self, y: Array, z: Array) -> tuple[Array, Array]:
        """Both from one exponential."""
        return self.all(y, z)[:2]

    def all(self, y: Array, z: Array) -> tuple[Array, Array, Array]:
        """All three from one exponential: with e = e^-|z|, σ(|z|) = 1 / (1 + e) and σ(-|z|) = e / (1 + e)."""
        sign = 1 - 2 * y
        against = sign * z  # above 0 where z speaks against y
        e = np.exp(-np.abs(z))
        likely = 1 / (1 + e)
        unlikely = e * likely
        return np.log1p(e) + np.maximum(against, 0.0), sign * np.where(against > 0, likely, unlikely), likely * unlikely

    def _valid(self, y: Array) -> Mask:
        return np.isin(y, (0, 1))
