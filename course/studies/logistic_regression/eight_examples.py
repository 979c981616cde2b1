"""Eight examples whose likelihood has one parameter: four at x = -1, one with y = 1, and four at x = 1, three with it.

By symmetry the intercept is zero, and the maximum is where σ(w) = 3/4, at w = log 3.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit

Array = NDArray[np.float64]
RIGHT, WRONG = 6, 2  # examples whose class agrees with the sign of x, and others


def log_likelihood(w: ArrayLike) -> Array:
    """ℓ(w), in the shape of w."""
    w = np.asarray(w, dtype=np.float64)
    return RIGHT * log_expit(w) + WRONG * log_expit(-w)


def slope_and_curvature(w: float) -> tuple[float, float]:
    """ℓ'(w) and ℓ''(w)."""
    p = float(expit(w))
    return RIGHT - (RIGHT + WRONG) * p, -(RIGHT + WRONG) * p * (1 - p)


def newton_step(w: float) -> float:
    """Where the parabola that touches ℓ at w has its top."""
    slope, curvature = slope_and_curvature(w)
    return w - slope / curvature
