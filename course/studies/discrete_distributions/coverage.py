"""How often an interval for a probability contains it: a finite sum, no simulation."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri
from scipy.stats import binom

Array = NDArray[np.float64]
Interval = Callable[[Array, int, float], tuple[Array, Array]]


def wald_interval(successes: ArrayLike, n: int, level: float = 0.95) -> tuple[Array, Array]:
    """p̂ ± z sqrt(p̂ (1 - p̂) / n), p̂ = successes / n: the standard error with the estimate put in."""
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, received {level!r}")
    share = np.asarray(successes, dtype=np.float64) / n
    half = ndtri((1 + level) / 2) * np.sqrt(share * (1 - share) / n)
    return share - half, share + half


def coverage(interval: Interval, n: int, p: ArrayLike, level: float = 0.95) -> Array:
    """P(low(x) <= p <= high(x)) for x ~ Binomial(n, p): the sum over all x. Shape of p."""
    p = np.atleast_1d(np.asarray(p, dtype=np.float64))
    x = np.arange(n + 1)
    low, high = interval(x, n, level)
    inside = (low <= p[:, None]) & (p[:, None] <= high)
    return (binom.pmf(x, n, p[:, None]) * inside).sum(axis=1)
