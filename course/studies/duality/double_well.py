"""A problem in one variable whose dual stays below: minimise (w² - 1)² + w/4 subject to w ≥ 0.

L(w, β) = (w² - 1)² + w/4 - β w,      θ_D(β) = min_w L(w, β),      d* = θ_D(1/4) = 0 < p*
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def objective(w: ArrayLike) -> Array:
    """f(w) = (w² - 1)² + w/4: a valley on each side, the left one a little deeper."""
    w = np.asarray(w, dtype=np.float64)
    return (w**2 - 1) ** 2 + w / 4


def valleys(slope: float) -> Array:
    """Real roots of the derivative of (w² - 1)² + slope · w, which are its only candidates for a minimum."""
    roots = np.roots([4.0, 0.0, -4.0, slope])
    return np.sort(roots.real[np.abs(roots.imag) < 1e-9])


def dual(beta: float) -> float:
    """θ_D(β) = min over all w of (w² - 1)² + (1/4 - β) w."""
    slope = 0.25 - beta
    w = valleys(slope)
    return float(np.min((w**2 - 1) ** 2 + slope * w))


def primal() -> tuple[float, float]:
    """The solution w* ≥ 0 and p* = f(w*)."""
    candidates = np.append(valleys(0.25), 0.0)
    candidates = candidates[candidates >= 0]
    best = candidates[np.argmin(objective(candidates))]
    return float(best), float(objective(best))
