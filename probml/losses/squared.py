"""The squared loss: least squares, and the Gaussian likelihood with variance 1."""

import numpy as np

from probml.losses.base import Loss
from probml.typing import Array, Mask


class Squared(Loss):
    """l(y, z) = (z - y)² / 2: -log p(y | z) of a normal distribution with mean z and variance 1, less log √2π."""

    curvature_bound = 1.0
    self_concordance = 0.0
    responses = "finite numbers"

    def value(self, y: Array, z: Array) -> Array:
        """(z - y)² / 2; inf where the square is."""
        with np.errstate(over="ignore"):
            return (z - y) ** 2 / 2

    def gradient(self, y: Array, z: Array) -> Array:
        """z - y."""
        return z - y

    def curvature(self, y: Array, z: Array) -> Array:
        """1."""
        return np.ones_like(z)

    def _valid(self, y: Array) -> Mask:
        return np.isfinite(y)
