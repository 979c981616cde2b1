"""The LMS rule of Widrow and Hoff on examples that come one after the other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def lms(X: Array, y: Array, steps: float | Sequence[float] | Array, start: Array | None = None) -> Array:
    """θ ← θ + α_i (y_i - x_i · θ) x_i for i = 1, ..., m, in this order. All θ, the start first: shape (m + 1, n).

    steps : α, one for all examples or one for each.
    """
    m, n = X.shape
    alpha = np.broadcast_to(np.asarray(steps, dtype=np.float64), (m,))
    path = np.zeros((m + 1, n))
    if start is not None:
        path[0] = start
    for i in range(m):
        path[i + 1] = path[i] + alpha[i] * (y[i] - X[i] @ path[i]) * X[i]
    return path


def lms_batch(X: Array, y: Array, step: float, iterations: int, start: Array | None = None) -> Array:
    """θ ← θ + α sum_i (y_i - x_i · θ) x_i, all θ: shape (iterations + 1, n)."""
    path = np.zeros((iterations + 1, X.shape[1]))
    if start is not None:
        path[0] = start
    for k in range(iterations):
        path[k + 1] = path[k] + step * X.T @ (y - X @ path[k])
    return path


def drifting(m: int, speed: float, noise: float, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """X, y and the truth θ_i, which walks at random: y_i = x_i · θ_i + noise, θ_(i+1) = θ_i + speed · N(0, I).

    Shapes (m, 2), (m,), (m, 2); x ~ N(0, I).
    """
    truth = np.cumsum(speed * rng.standard_normal((m, 2)), axis=0)
    X = rng.standard_normal((m, 2))
    return X, np.sum(X * truth, axis=1) + noise * rng.standard_normal(m), truth


def tracking_error(step: float, speed: float, noise: float, dimension: int = 2) -> float:
    """The mean of |θ_i - truth|² that LMS with a constant step α settles at, for x ~ N(0, I).

    With δ = θ - truth and new noise ν and drift s, δ' = δ - α x (x · δ) + α ν x - s. Because E[x x^T] = I and
    E[|x|² x x^T] = (n + 2) I,

        E|δ'|² = E|δ|² (1 - 2 α + (n + 2) α²) + n (α² noise² + speed²),

    which stands still where the gain equals the loss. The step must be below 2 / (n + 2).
    """
    if not 0 < step < 2 / (dimension + 2):
        raise ValueError(f"the error stays bounded for steps between 0 and {2 / (dimension + 2):g}, received {step!r}")
    return dimension * (step**2 * noise**2 + speed**2) / (2 * step - (dimension + 2) * step**2)


def least_squares_so_far(X: Array, y: Array, after: Sequence[int]) -> Array:
    """The least-squares θ of the first k examples, for each k of `after`. Shape (len(after), n)."""
    return np.array([np.linalg.lstsq(X[:k], y[:k], rcond=None)[0] for k in after])
