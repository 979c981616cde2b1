"""Examples of two classes, y = -1 and y = 1, and two ways to draw them in the plane."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """X, shape (m, n), and y in {-1, 1}, shape (m,)."""

    X: Array
    y: Array

    @property
    def with_ones(self) -> Array:
        """(x, 1), shape (m, n + 1): the intercept is the weight of the last column."""
        return np.column_stack([self.X, np.ones(len(self.X))])


def clouds(m: int, distance: float, rng: np.random.Generator) -> Scene:
    """m examples, half of them of each class, from N(±μ, I) with |2 μ| = distance along the diagonal."""
    y = np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
    return Scene(y[:, None] * mean(distance) + rng.standard_normal((m, 2)), y)


def mean(distance: float) -> Array:
    """μ, the mean of the class y = 1 of `clouds`; that of the other is -μ."""
    return distance / 2 / np.sqrt(2) * np.ones(2)


def posterior(X: Array, distance: float) -> Array:
    """p(y = 1 | x) of `clouds`: σ(2 μ · x). Shape (m,)."""
    return expit(2 * X @ mean(distance))


def bayes_error(distance: float) -> float:
    """Φ(-distance / 2): no classifier of `clouds` has a smaller error."""
    return float(ndtr(-distance / 2))


def separable(m: int, gap: float, rng: np.random.Generator) -> Scene:
    """m examples of `clouds` at distance 4, each moved away from the diagonal boundary by gap / 2 on its own side."""
    drawn = clouds(m, 4.0, rng)
    normal = np.ones(2) / np.sqrt(2)
    across = drawn.X @ normal
    moved = drawn.y * (np.abs(across) + gap / 2)
    return Scene(drawn.X + (moved - across)[:, None] * normal, drawn.y)
