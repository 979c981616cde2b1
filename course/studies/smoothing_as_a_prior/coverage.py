"""How often does an interval for a probability hold it? Exactly: all samples of n trials are enumerated."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, gammaln, ndtri, xlog1py, xlogy

from probml.families.conjugate import BetaBernoulli
from probml.metrics import wilson_interval

Array = NDArray[np.float64]
Rule = Callable[[int, int, float], tuple[float, float]]
"""From successes, trials and level to the two ends of an interval."""


def by_posterior(a: float, b: float) -> Rule:
    """The interval of the posterior under the prior Beta(a, b), with equal probabilities on both sides."""

    def rule(s: int, n: int, level: float) -> tuple[float, float]:
        return BetaBernoulli(a + s, b + n - s).interval(level)

    return rule


def by_score(s: int, n: int, level: float) -> tuple[float, float]:
    """Wilson's interval: all phi that a score test does not reject."""
    low, high = wilson_interval(s, n, level)
    return float(low), float(high)


def by_standard_error(s: int, n: int, level: float) -> tuple[float, float]:
    """The share and a multiple of its estimated standard error: s/n ± z sqrt(s/n (1 - s/n) / n), within [0, 1]."""
    share = s / n
    half = ndtri((1 + level) / 2) * np.sqrt(share * (1 - share) / n)
    return max(share - half, 0.0), min(share + half, 1.0)


class Intervals(NamedTuple):
    """The intervals after s = 0, ..., n successes in n trials. low, high : shape (n + 1,)."""

    low: Array
    high: Array

    @property
    def n(self) -> int:
        """Number of trials."""
        return len(self.low) - 1

    @property
    def s(self) -> NDArray[np.intp]:
        """All numbers of successes."""
        return np.arange(len(self.low))


def all_intervals(rule: Rule, n: int, level: float) -> Intervals:
    """The interval of the rule for every possible number of successes."""
    if n < 1:
        raise ValueError(f"n must be at least 1 trial, received {n!r}")
    return Intervals(*np.array([rule(s, n, level) for s in range(n + 1)]).T)


def coverage(intervals: Intervals, phi: ArrayLike) -> Array:
    """P(low(S) ≤ phi ≤ high(S)) for S ~ Binomial(n, phi). The shape is that of phi."""
    phi = np.asarray(phi, dtype=np.float64)[..., None]
    return np.sum(binomial(intervals, phi) * ((intervals.low <= phi) & (phi <= intervals.high)), axis=-1)


def least_coverage(intervals: Intervals) -> tuple[float, float]:
    """The infimum of the coverage over 0 < phi < 1, and a phi where it is reached, perhaps as a limit from one side.

    Between two neighbouring ends the same run of S holds phi. Its probability rises and then falls, or only one of the
    two, so that its infimum is at one of the ends; there the run of the open piece counts, not that of the end itself.
    """
    ends = np.unique(np.clip(np.concatenate([intervals.low, intervals.high, [0.0, 1.0]]), 0, 1))
    middle = (0.5 * (ends[1:] + ends[:-1]))[:, None]
    holds = (intervals.low <= middle) & (middle <= intervals.high)
    limits = np.stack([np.sum(binomial(intervals, phi[:, None]) * holds, axis=1) for phi in (ends[:-1], ends[1:])])
    side, piece = np.unravel_index(limits.argmin(), limits.shape)
    return float(limits[side, piece]), float(ends[piece + side])


def mean_coverage(intervals: Intervals, a: float, b: float) -> float:
    """The coverage averaged over phi ~ Beta(a, b):

    sum_s p(s) P(low(s) ≤ phi ≤ high(s) | s),     p(s) = (n choose s) B(a + s, b + n - s) / B(a, b)
    """
    n, s = intervals.n, intervals.s
    log_orders = gammaln(n + 1) - gammaln(s + 1) - gammaln(n - s + 1)
    evidence = np.exp(log_orders + betaln(a + s, b + n - s) - betaln(a, b))
    below = betainc(a + s, b + n - s, np.clip(intervals.low, 0, 1))
    return float(evidence @ (betainc(a + s, b + n - s, np.clip(intervals.high, 0, 1)) - below))


def binomial(intervals: Intervals, phi: Array) -> Array:
    """P(S = s) for all s, shape (..., n + 1) for phi of shape (..., 1)."""
    n, s = intervals.n, intervals.s
    log_orders = gammaln(n + 1) - gammaln(s + 1) - gammaln(n - s + 1)
    return np.exp(log_orders + xlogy(s, phi) + xlog1py(n - s, -phi))
