"""Integrals over all of R^n on a grid: for smooth densities that vanish at its edge."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class GridMoments(NamedTuple):
    """∫ f, ∫ x f, shape (n,), and ∫ x xᵀ f, shape (n, n)."""

    mass: float
    first: Array
    second: Array


def grid_moments(density: Callable[[Array], Array], low: ArrayLike, high: ArrayLike, points: int = 200) -> GridMoments:
    """By the trapezoidal rule with `points` in each of the n dimensions, from low to high, shapes (n,).

    density : from x, shape (N, n), to f(x), shape (N,). The rule has no error to speak of once f, and all of its
    derivatives, are 0 at the edge: that is what makes it good enough to check a constant with.
    """
    axes = [np.linspace(a, b, points) for a, b in zip(np.ravel(low), np.ravel(high), strict=True)]
    x = np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
    f = density(x) * np.prod([axis[1] - axis[0] for axis in axes])
    return GridMoments(float(f.sum()), f @ x, (x * f[:, None]).T @ x)
