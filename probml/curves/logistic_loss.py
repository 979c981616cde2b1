"""The logistic loss of many training parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from probml.curves.newton import Primal
from probml.curves.parts import Array

CERTAIN = 1e-9
FACTORS = 1000  # of at most 2, whose product is a floating-point number


@dataclass(frozen=True)
class LogisticProblems(Primal):
    """sum_i log(1 + e^(-t_i)) with t_i = side_i (θ · a_i), for each part.

    A : rows a_i = (Z_i, 1), shape (b, m, p). side : +1 for the second class, -1 for the first, shape (b, m).
    penalty : shape (b, p).
    """

    A: Array
    side: Array
    penalty: Array

    def take(self, keep: NDArray[np.intp]) -> "LogisticProblems":
        """Some of the parts."""
        return LogisticProblems(self.A[keep], self.side[keep], self.penalty[keep])

    def predictors(self, theta: Array) -> Array:
        """Margins t, shape (b, m)."""
        return self.side * (self.A @ theta[:, :, None])[:, :, 0]

    def loss(self, z: Array, some: NDArray[np.intp]) -> Array:
        """Of some of the parts."""
        return logistic_loss(z)

    def system(self, z: Array) -> tuple[Array, Array]:
        """Gradient -sum_i side_i σ(-t_i) a_i and Hessian sum_i σ(t_i) σ(-t_i) a_i a_i^T."""
        wrong = expit(-z)
        gradient = -((wrong * self.side)[:, None, :] @ self.A)[:, 0]
        root = np.sqrt(wrong * expit(z))[:, :, None] * self.A
        return gradient, root.transpose(0, 2, 1) @ root

    def separated(self, z: Array) -> NDArray[np.bool_]:
        """All margins above 0, and above the rounding of an example that no w gets off the boundary."""
        return (z > CERTAIN * np.maximum(1, z.max(axis=1, keepdims=True))).all(axis=1)


def logistic_loss(t: Array) -> Array:
    """sum_i log(1 + e^-t_i) = sum_i max(-t_i, 0) + log prod_i (1 + e^-|t_i|), shape (b,), of margins of shape (b, m).

    One logarithm of a product takes less time than many. It is exact to m ε, far below what Newton's method looks at.
    """
    factors = 1 + np.exp(-np.abs(t))
    products = np.multiply.reduceat(factors, np.arange(0, t.shape[1], FACTORS), axis=1)
    return np.log(products).sum(axis=1) - np.minimum(t, 0).sum(axis=1)
