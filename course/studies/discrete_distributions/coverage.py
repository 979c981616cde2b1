"""How often an interval for a probability contains it: a finite sum, no simulation."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv, ndtri
from scipy.stats import binom

Array = NDArray[np.float64]
Interval = Callable[[Array, int, float], tuple[Array, Array]]


def wald_interval(successes: ArrayLike, n: int, level: float = 0.95) -> tuple[Array, Array]:
    """p̂ ± z sqrt(p̂ (1 - p̂) / n), p̂ = successes / n: the standard error with the estimate put in."""
    _require_level(level)
    share = np.asarray(successes, dtype=np.float64) / n
    half = ndtri((1 + level) / 2) * np.sqrt(share * (1 - share) / n)
    return share - half, share + half


def clopper_pearson_interval(successes: ArrayLike, n: int, level: float = 0.95) -> tuple[Array, Array]:
    """All p for which neither P(X <= successes) nor P(X >= successes) is below (1 - level) / 2, X ~ Binomial(n, p).

    The tails of the binomial are incomplete beta functions of p, so the ends are quantiles of beta distributions.
    """
    _require_level(level)
    x = np.asarray(successes, dtype=np.float64)
    tail = (1 - level) / 2
    low = np.where(x > 0, betaincinv(np.maximum(x, 1), n - x + 1, tail), 0.0)
    high = np.where(x < n, betaincinv(x + 1, np.maximum(n - x, 1), 1 - tail), 1.0)
    return low, high


def coverage(interval: Interval, n: int, p: ArrayLike, level: float = 0.95) -> Array:
    """P(low(x) <= p <= high(x)) for x ~ Binomial(n, p): the sum over all x. Shape of p."""
    p = np.atleast_1d(np.asarray(p, dtype=np.float64))
    x = np.arange(n + 1)
    low, high = interval(x, n, level)
    inside = (low <= p[:, None]) & (p[:, None] <= high)
    return (binom.pmf(x, n, p[:, None]) * inside).sum(axis=1)


def mean_coverage(interval: Interval, n: int, level: float = 0.95) -> float:
    """The coverage averaged over all p between 0 and 1, without a grid.

    (n + 1) P(X = x) is the density of Beta(x + 1, n - x + 1) at p, so its integral over an interval is a difference.
    """
    x = np.arange(n + 1)
    low, high = (np.clip(end, 0, 1) for end in interval(x, n, level))
    held = betainc(x + 1, n - x + 1, high) - betainc(x + 1, n - x + 1, low)
    return float(held.sum() / (n + 1))


def _require_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, received {level!r}")
