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
    """θ ← θ + α / m sum_i (y_i - x_i · θ) x_i, all θ: shape (iterations + 1, n)."""
    path = np.zeros((iterations + 1, X.shape[1]))
    if start is not None:
        path[0] = start
    for k in range(iterations):
        path[k + 1] = path[k] + step / len(y) * X.T @ (y - X @ path[k])
    return path
