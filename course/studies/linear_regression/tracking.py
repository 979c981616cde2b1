"""A target that drifts, followed by LMS with constant steps and by least squares on all examples so far."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.linear_regression.lms import lms

Array = NDArray[np.float64]
DRIFT, NOISE, LENGTH = 0.03, 1.0, 2000  # of the target at each example, of the responses; examples in a stream
STEPS = np.geomspace(0.008, 0.3, 8)  # so large that the start is forgotten after half of a stream


@dataclass(frozen=True)
class Stream:
    """X, shape (m, 2), with x ~ N(0, I); y, shape (m,); and the target θ_i when example i came, shape (m, 2)."""

    X: Array
    y: Array
    target: Array

    @classmethod
    def drawn(cls, m: int, drift: float, noise: float, rng: np.random.Generator) -> "Stream":
        """y_i = x_i · θ_i + noise · N(0, 1), and θ_(i+1) = θ_i + drift · N(0, I), from θ_0 = 0."""
        target = np.cumsum(drift * rng.standard_normal((m, 2)), axis=0)
        X = rng.standard_normal((m, 2))
        return cls(X, np.sum(X * target, axis=1) + noise * rng.standard_normal(m), target)

    def error(self, estimates: Array) -> Array:
        """|θ - target|² after each example, for estimates of shape (m, 2). Shape (m,)."""
        return np.sum((estimates - self.target) ** 2, axis=1)

    def followed(self, step: float) -> Array:
        """θ of LMS after each example. Shape (m, 2)."""
        return lms(self.X, self.y, step)[1:]

    def refitted(self) -> Array:
        """θ of least squares on all examples so far, after each example but the first. Shape (m - 1, 2)."""
        squares = np.cumsum(self.X[:, :, None] * self.X[:, None, :], axis=0)
        products = np.cumsum(self.X * self.y[:, None], axis=0)
        return np.linalg.solve(squares[1:], products[1:, :, None])[:, :, 0]


@dataclass(frozen=True)
class Tracking:
    """Mean squared errors over the second half of each stream: of LMS by step, shape (streams, steps), of refitting."""

    followed: Array
    refitted: Array

    @classmethod
    def measured(cls, streams: int, rng: np.random.Generator) -> "Tracking":
        """On streams with the drift, the noise and the length of this module."""
        followed, refitted = [], []
        for _ in range(streams):
            stream = Stream.drawn(LENGTH, DRIFT, NOISE, rng)
            late = slice(LENGTH // 2, None)
            followed.append([stream.error(stream.followed(step))[late].mean() for step in STEPS])
            whole = np.vstack([np.zeros(2), stream.refitted()])
            refitted.append(stream.error(whole)[late].mean())
        return cls(np.array(followed), np.array(refitted))


def tracking_error(step: float, drift: float, noise: float, dimension: int = 2) -> float:
    """The mean of |θ_i - target|² that LMS with a constant step α settles at, for x ~ N(0, I).

    With δ = θ - target, noise ε and drift d, δ' = δ - α x (x · δ) + α ε x - d. Because E[x x^T] = I and
    E[|x|² x x^T] = (n + 2) I,

        E|δ'|² = E|δ|² (1 - 2 α + (n + 2) α²) + n (α² noise² + drift²),

    which stands still where the gain equals the loss. The step must be below 2 / (n + 2).
    """
    if not 0 < step < 2 / (dimension + 2):
        raise ValueError(f"the error stays bounded for steps between 0 and {2 / (dimension + 2):g}, received {step!r}")
    return dimension * (step**2 * noise**2 + drift**2) / (2 * step - (dimension + 2) * step**2)
