"""Our curves beside the published ones: gaps, winners, and where the curves cross."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2
from scipy.stats import t as student

from course.studies.ng_jordan_redone.published import SPLITS
from probml.curves import Curve

Array = NDArray[np.float64]
Z = 1.959964  # of a 95 % interval


@dataclass(frozen=True)
class Gap:
    """Mean of |ours - published| over the sizes, and what it would be by chance if both had the same expectation."""

    mean: float
    by_chance: float


def noise(curve: Curve) -> Array:
    """Standard error of ours - published, shape (S,), with the deviation of our splits for theirs too."""
    n = curve.losses.shape[1]
    return curve.standard_error * np.sqrt(1 + n / SPLITS)


def gap(curve: Curve, published: Array) -> Gap:
    """Of one classifier in one panel. The mean of |Normal(0, s²)| is s √(2/π)."""
    return Gap(float(np.abs(curve.mean - published).mean()), float((noise(curve) * np.sqrt(2 / np.pi)).mean()))


def p_value(curve: Curve, published: Array) -> float:
    """How often chance would set the two farther apart, if both had the same expectations: chi-squared over the sizes.

    Splits of different sizes are independent.
    """
    return float(chi2.sf((((curve.mean - published) / noise(curve)) ** 2).sum(), len(published)))


@dataclass(frozen=True)
class Difference:
    """Error of logistic regression less that of naive Bayes at one size, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def winner(self) -> str:
        """Of "nb" and "lr", or "≈" where the interval holds 0."""
        return "nb" if self.low > 0 else "lr" if self.high < 0 else "≈"


def difference(nb: Curve, lr: Curve, place: int) -> Difference:
    """Of curves over independent splits, at a place among the sizes."""
    value = lr.mean[place] - nb.mean[place]
    half = Z * np.hypot(nb.standard_error[place], lr.standard_error[place])
    return Difference(float(value), float(value - half), float(value + half))


def paired(nb: Curve, lr: Curve, place: int) -> Difference:
    """Of curves over the same splits, which may be few: by Student's t."""
    each = lr.losses[place] - nb.losses[place]
    half = student.ppf(0.975, len(each) - 1) * each.std(ddof=1) / np.sqrt(len(each))
    return Difference(float(each.mean()), float(each.mean() - half), float(each.mean() + half))


def crossing(sizes: NDArray[np.intp], nb: Array, lr: Array) -> float:
    """Where logistic regression becomes better for good: the last change of sign of nb - lr, linear in between.

    inf if naive Bayes is better at the last size, 0 if logistic regression is at all of them.
    """
    ahead = nb - lr
    if ahead[-1] <= 0:
        return np.inf
    behind = np.flatnonzero(ahead <= 0)
    if not behind.size:
        return 0.0
    k = behind[-1]
    return float(sizes[k] + (sizes[k + 1] - sizes[k]) * ahead[k] / (ahead[k] - ahead[k + 1]))


def crossing_interval(nb: Curve, lr: Curve, resamples: int, seed: int, level: float = 0.95) -> tuple[float, float]:
    """Percentile interval of the crossing by a bootstrap: means of the splits, redrawn from their normal distributions.

    The splits of different sizes are independent, and a mean over hundreds of them is as good as normal.
    """
    rng = np.random.default_rng(seed)
    draw = rng.standard_normal((2, resamples, len(nb.sizes)))
    means = [curve.mean + curve.standard_error * z for curve, z in zip((nb, lr), draw, strict=True)]
    found = [crossing(nb.sizes, *pair) for pair in zip(*means, strict=True)]
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], method="nearest")
    return float(low), float(high)
