"""A logistic regression with one parameter: diabetes on standardised glucose, without intercept."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from course.studies.races.women import Women

Array = NDArray[np.float64]
COLUMN = 1  # of the measurements


@dataclass(frozen=True)
class Glucose:
    """x : glucose, standardised, shape (m,). y : 1 for women with diabetes, shape (m,). far : a start far away."""

    x: Array
    y: Array
    far: float = 4.0

    @classmethod
    def of(cls, women: Women) -> "Glucose":
        """Of the diabetes data."""
        return cls(women.standardised[:, COLUMN], women.y)

    def value(self, w: ArrayLike) -> Array:
        """F(w), in the shape of w."""
        z = np.multiply.outer(np.asarray(w, dtype=np.float64), self.x)
        return np.sum(np.logaddexp(0, z) - self.y * z, axis=-1)

    def derivatives(self, w: float) -> tuple[float, float]:
        """F'(w) and F''(w)."""
        p = expit(w * self.x)
        return float((p - self.y) @ self.x), float((p * (1 - p)) @ self.x**2)

    def third(self, w: float) -> float:
        """F'''(w)."""
        p = expit(w * self.x)
        return float((p * (1 - p) * (1 - 2 * p)) @ self.x**3)

    def step(self, w: float) -> float:
        """Where the parabola that touches F at w has its lowest point."""
        slope, curvature = self.derivatives(w)
        return w - slope / curvature

    def minimum(self) -> float:
        """w with F'(w) = 0."""
        w = 0.0
        for _ in range(30):
            w = self.step(w)
        return w
