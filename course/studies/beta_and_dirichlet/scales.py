"""What a summary of Beta(a, b) becomes if the coin is measured by its log odds z = log φ / (1 - φ) in place of φ.

Every summary is given as a value of φ. If the two columns differ, the summary depends on the scale.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import betaincinv, digamma, expit, logit

from course.teaching.conjugate import BetaBernoulli

Interval = tuple[float, float]


class Summary(NamedTuple):
    """Of a distribution of φ, computed on one scale. All are values of φ."""

    mode: float
    mean: float
    median: float
    highest_density: Interval
    quantiles: Interval


def by_probability(a: float, b: float, level: float) -> Summary:
    """Computed on the scale of φ itself. a, b : above 1, for a single mode."""
    coin = BetaBernoulli(a, b)
    return Summary(coin.mode, coin.mean, _quantile(a, b, 0.5), shortest(a, b, level), coin.interval(level))


def by_log_odds(a: float, b: float, level: float) -> Summary:
    """Computed on the scale of z, and taken back to φ at the end.

    The density of z is proportional to φ^a (1 - φ)^b, which is largest at φ = a / (a + b); its mean is ψ(a) - ψ(b).
    """
    low, high = (float(logit(_quantile(a, b, p))) for p in ((1 - level) / 2, (1 + level) / 2))
    return Summary(
        mode=a / (a + b),
        mean=float(expit(digamma(a) - digamma(b))),
        median=float(expit(logit(_quantile(a, b, 0.5)))),
        highest_density=shortest(a, b, level, log_odds=True),
        quantiles=(float(expit(low)), float(expit(high))),
    )


def shortest(a: float, b: float, level: float, *, log_odds: bool = False) -> Interval:
    """The shortest interval of this probability, which is the one of highest density on the scale it is measured on."""
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, received {level!r}")

    def ends(below: float) -> Interval:
        return _quantile(a, b, below), _quantile(a, b, below + level)

    def length(below: float) -> float:
        low, high = ends(below)
        return float(logit(high) - logit(low)) if log_odds else high - low

    return ends(minimize_scalar(length, bounds=(0, 1 - level), method="bounded", options={"xatol": 1e-10}).x)


def _quantile(a: float, b: float, p: float) -> float:
    return float(betaincinv(a, b, np.clip(p, 0, 1)))
