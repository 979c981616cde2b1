"""A ratio of two means with an interval."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Ratio:
    """mean(a) / mean(b) and the ends of its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"

    def covers(self, value: float) -> bool:
        """Whether the interval does."""
        return self.low <= value <= self.high


def ratio_of_means(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Ratio:
    """From pairs (a_i, b_i), i = 1, ..., B: r = mean(a) / mean(b), with s.e. sd(a_i - r b_i) / (√B mean(b)).

    The interval is taken on the logarithm, as r is above 0 and its error is relative. If one of the means is 0,
    r is 0 or infinite and the interval has no width.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(f"needs two or more pairs, received shapes {a.shape} and {b.shape}")
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, received {level!r}")
    if not (min(a.mean(), b.mean()) >= 0 and max(a.mean(), b.mean()) > 0):
        raise ValueError(f"needs means of at least 0, not both 0; received {a.mean():g} and {b.mean():g}")
    if a.mean() == 0 or b.mean() == 0:
        return Ratio(*[0.0 if a.mean() == 0 else np.inf] * 3)
    r = a.mean() / b.mean()
    relative = np.std(a - r * b, ddof=1) / (np.sqrt(len(a)) * a.mean())
    z = NormalDist().inv_cdf((1 + level) / 2)
    return Ratio(float(r), float(r * np.exp(-z * relative)), float(r * np.exp(z * relative)))
