"""Losses of the margin y z, with y = -1 or 1: the perceptron's, the hinge and its square."""

import numpy as np

from probml.losses.base import Loss
from probml.typing import Array, Mask


class MarginLoss(Loss):
    """A loss of the margin y z alone, y in {-1, 1}."""

    responses = "-1 or 1"

    def curvature(self, y: Array, z: Array) -> Array:
        """0: all pieces are straight, unless a loss says otherwise."""
        return np.zeros_like(z)

    def _valid(self, y: Array) -> Mask:
        return np.isin(y, (-1, 1))


class PerceptronLoss(MarginLoss):
    """l(y, z) = max(0, -y z): the distance from the right side, if z is not there. y z = 0 counts as wrong."""

    def value(self, y: Array, z: Array) -> Array:
        """max(0, -y z)."""
        return np.maximum(0.0, -y * z)

    def gradient(self, y: Array, z: Array) -> Array:
        """-y where y z ≤ 0."""
        return np.where(y * z <= 0, -y, 0.0)


class Hinge(MarginLoss):
    """l(y, z) = max(0, 1 - y z): also a right answer costs, if its margin is below 1."""

    def value(self, y: Array, z: Array) -> Array:
        """max(0, 1 - y z)."""
        return np.maximum(0.0, 1 - y * z)

    def gradient(self, y: Array, z: Array) -> Array:
        """-y where y z < 1."""
        return np.where(y * z < 1, -y, 0.0)


class SquaredHinge(MarginLoss):
    """l(y, z) = max(0, 1 - y z)² / 2: the hinge without its corner."""

    curvature_bound = 1.0

    def value(self, y: Array, z: Array) -> Array:
        """max(0, 1 - y z)² / 2; inf where the square is."""
        with np.errstate(over="ignore"):
            return np.maximum(0.0, 1 - y * z) ** 2 / 2

    def gradient(self, y: Array, z: Array) -> Array:
        """-y max(0, 1 - y z)."""
        return -y * np.maximum(0.0, 1 - y * z)

    def curvature(self, y: Array, z: Array) -> Array:
        """1 where y z < 1."""
        return (y * z < 1).astype(np.float64)
