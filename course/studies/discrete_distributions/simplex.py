"""Distributions of three values: every one on a lattice, and where it lies in a triangle."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])  # of the values 1, 2 and 3


def compositions(total: int, parts: int) -> NDArray[np.int64]:
    """All vectors of `parts` whole numbers of at least 0 with this sum. Shape (·, parts)."""
    if parts == 1:
        return np.array([[total]])
    return np.vstack(
        [
            np.column_stack([np.full(len(rest), first), rest])
            for first in range(total + 1)
            for rest in [compositions(total - first, parts - 1)]
        ]
    )


def in_triangle(p: ArrayLike) -> Array:
    """The point p_1 c_1 + p_2 c_2 + p_3 c_3 between the corners, shape (..., 2), for p of shape (..., 3)."""
    return np.asarray(p, dtype=np.float64) @ CORNERS
