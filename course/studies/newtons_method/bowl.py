"""A bowl, F(u, v) = (u² + κ v²) / 2 with κ = 9, from the start (9, 1): the worst start for gradient descent."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
HESSIAN = np.diag([1.0, 9.0])
START = np.array([9.0, 1.0])


def value(theta: Array) -> Array:
    """F, for θ of shape (..., 2)."""
    return ((theta @ HESSIAN) * theta).sum(axis=-1) / 2


def gradient_path(step: float, steps: int) -> Array:
    """Gradient descent with a fixed step size, shape (steps + 1, 2)."""
    path = [START]
    for _ in range(steps):
        path.append(path[-1] - step * HESSIAN @ path[-1])
    return np.array(path)


def conjugate_path(steps: int) -> Array:
    """Conjugate gradients with exact steps, shape (steps + 1, 2)."""
    path, gradient = [START], HESSIAN @ START
    direction = -gradient
    for _ in range(steps):
        step = -(gradient @ direction) / (direction @ HESSIAN @ direction)
        path.append(path[-1] + step * direction)
        after = HESSIAN @ path[-1]
        direction = (after @ after) / (gradient @ gradient) * direction - after
        gradient = after
    return np.array(path)
