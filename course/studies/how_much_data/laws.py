"""Laws for learning curves, all fitted in one way: error(m) = a + b g(m; θ) with a, b ≥ 0 and θ from a grid.

For a given θ the best a and b are those of a straight line in g, so that the fit is exact up to the step of the grid.
It needs no start, and cannot fail. Sizes are in units of the largest one seen, x = m / m_S.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
SMALLEST_SPREAD = 1e-9  # of g over the sizes, relative to its size: below it g is a constant


@dataclass(frozen=True)
class Law:
    """formula : as the reader sees it. g : from x of shape (S, 1) and columns of the grid, shape (G,), to (S, G)."""

    title: str
    formula: str
    g: Callable[..., Array]
    grid: Array
    offset: bool = True

    @property
    def parameters(self) -> int:
        """How many there are: a, b and those in θ."""
        return 1 + self.offset + self.grid.shape[1]


def _pairs(one: ArrayLike, other: ArrayLike) -> Array:
    return np.stack(np.meshgrid(one, other, indexing="ij"), axis=-1).reshape(-1, 2)


_POWERS = np.geomspace(0.02, 3, 32)
_SHAPES, _PLACES = np.geomspace(0.1, 4, 14), np.geomspace(0.003, 30, 14)
LAWS = {
    "pow2": Law("POW2", r"b m^{-c}", lambda x, c: x**-c, _POWERS[:, None], offset=False),
    "pow3": Law("POW3", r"a + b m^{-c}", lambda x, c: x**-c, _POWERS[:, None]),
    "pow4": Law(
        "POW4",
        r"a + b (m + d)^{-c}",
        lambda x, c, d: (x + d) ** -c,
        _pairs(_POWERS[::2], [0, 0.03, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4]),
    ),
    "exp3": Law("EXP3", r"a + b e^{-c m}", lambda x, c: np.exp(-c * x), np.geomspace(0.03, 60, 32)[:, None]),
    "mmf4": Law("MMF4", r"a + b / (1 + (m/d)^c)", lambda x, c, d: 1 / (1 + (x / d) ** c), _pairs(_SHAPES, _PLACES)),
    "wbl4": Law("WBL4", r"a + b e^{-(m/d)^c}", lambda x, c, d: np.exp(-((x / d) ** c)), _pairs(_SHAPES, _PLACES)),
}


def forecast(law: Law, sizes: ArrayLike, curves: Array, weight: Array, ahead: ArrayLike) -> Array:
    """Errors at the sizes `ahead`, shape (B, A), of curves of shape (B, S), by least squares with weights (S,)."""
    sizes, w = np.asarray(sizes, dtype=float), weight / weight.sum()
    g, then = (law.g(np.asarray(m, dtype=float)[:, None] / sizes[-1], *law.grid.T) for m in (sizes, ahead))
    scale = np.maximum(np.sqrt(w @ g**2), 1e-300)
    g, then = g / scale, then / scale
    mean_g, mean_y, mean_gy = w @ g, (curves @ w)[:, None], (curves * w) @ g
    a, b = np.zeros_like(mean_gy), np.maximum(mean_gy, 0)  # without an offset; the mean square of g is 1
    if law.offset:
        spread = 1 - mean_g**2
        slope = np.where(spread > SMALLEST_SPREAD, (mean_gy - mean_y * mean_g) / np.maximum(spread, SMALLEST_SPREAD), 0)
        slope = np.maximum(slope, 0)
        level = mean_y - slope * mean_g
        a, b = np.where(level < 0, a, level), np.where(level < 0, b, slope)
    misfit = a * a + 2 * a * b * mean_g + b * b - 2 * a * mean_y - 2 * b * mean_gy
    rows, best = np.arange(len(curves)), misfit.argmin(axis=1)
    value: Array = a[rows, best][:, None] + b[rows, best][:, None] * then[:, best].T
    return value
