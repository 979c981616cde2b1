"""Our curves beside the published ones: gaps, winners, and where the curves cross."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, combine_pvalues
from scipy.stats import t as student

from course.studies.ng_jordan_redone.published import SPLITS
from probml.curves import Curve

Array = NDArray[np.float64]
ODD, EVEN, ALL = slice(0, None, 2), slice(1, None, 2), slice(None)  # the first, third, … size; the second, fourth, …


@dataclass(frozen=True)
class Gap:
    """Mean of |ours - published| over the sizes, and what it would be by chance if both had the same expectation."""

    mean: float
    by_chance: float


def noise(curve: Curve) -> Array:
    """Standard error of ours - published, shape (S,), with the deviation of our splits for theirs too."""
    n = curve.losses.shape[1]
    return curve.standard_error * np.sqrt(1 + n / SPLITS)


def gap(curve: Curve, published: Array, sizes: slice = ALL) -> Gap:
    """Of one classifier in one panel. The mean of |Normal(0, s²)| is s √(2/π)."""
    off, chance = np.abs(curve.mean - published), noise(curve) * np.sqrt(2 / np.pi)
    return Gap(float(off[sizes].mean()), float(chance[sizes].mean()))


def p_value(curve: Curve, published: Array, sizes: slice = ALL) -> float:
    """How often chance would set the two farther apart, if both had the same expectations: chi-squared over the sizes.

    Our splits of different sizes are independent, and theirs are taken to be. That published values are read to about
    1e-4 only is left out: on all panels but the digits 0 and 1 the noise is at least twice that.
    """
    squares = (((curve.mean - published) / noise(curve)) ** 2)[sizes]
    return float(chi2.sf(squares.sum(), len(squares)))


def jointly(p_values: Sequence[float]) -> float:
    """How often chance would make independent p-values as small, all taken together: Fisher's method."""
    least = np.finfo(np.float64).tiny  # for one that has been rounded to 0
    return float(combine_pvalues(np.maximum(p_values, least), method="fisher").pvalue)


def gap_change(
    new: Sequence[Curve], old: Sequence[Curve], published: Sequence[Array], sizes: slice = ALL
) -> tuple[float, float]:
    """Mean gap of `new` less that of `old` over some panels, and its standard error, for given published values.

    Both are over the same splits. Where a mean is off by more than its noise, |mean - published| moves with the mean,
    up or down: so a split of a size adds the signed difference of its two losses.
    """
    values, variances = [], []
    for a, b, theirs in zip(new, old, published, strict=True):
        n = min(a.losses.shape[1], b.losses.shape[1])
        x, y = a.losses[sizes, :n], b.losses[sizes, :n]
        up_x, up_y = (np.sign(each.mean(axis=1) - theirs[sizes])[:, None] for each in (x, y))
        values.append((np.abs(x.mean(axis=1) - theirs[sizes]) - np.abs(y.mean(axis=1) - theirs[sizes])).mean())
        variances.append((up_x * x - up_y * y).var(axis=1, ddof=1).sum() / n / len(x) ** 2)
    return float(np.mean(values)), float(np.sqrt(np.sum(variances)) / len(values))


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


def paired(nb: Curve, lr: Curve, place: int) -> Difference:
    """Of curves over the same splits, which may be few: by Student's t. More splits than both have are left out."""
    n = min(nb.losses.shape[1], lr.losses.shape[1])
    each = lr.losses[place, :n] - nb.losses[place, :n]
    half = student.ppf(0.975, n - 1) * each.std(ddof=1) / np.sqrt(n)
    return Difference(float(each.mean()), float(each.mean() - half), float(each.mean() + half))


def crossing(sizes: NDArray[np.intp], ahead: Array) -> float:
    """Where logistic regression becomes better for good: the last change of sign of `ahead`, linear in between.

    ahead : error of naive Bayes less that of logistic regression, shape (S,). inf if naive Bayes is better at the last
    size, 0 if logistic regression is at all of them.
    """
    if ahead[-1] <= 0:
        return np.inf
    behind = np.flatnonzero(ahead <= 0)
    if not behind.size:
        return 0.0
    k = behind[-1]
    return float(sizes[k] + (sizes[k + 1] - sizes[k]) * ahead[k] / (ahead[k] - ahead[k + 1]))


def crossing_interval(nb: Curve, lr: Curve, resamples: int, seed: int, level: float = 0.95) -> tuple[float, float]:
    """Where the crossing of another such experiment would lie, over `SPLITS` splits of its own: a percentile interval.

    Redrawn are the differences of the means, with the variance of ours, over the same splits for both classifiers, plus
    that of theirs, of which we do not know whether they were the same: as if they were not. Splits of different sizes
    are independent, and a mean over hundreds of them is as good as normal.
    """
    n = min(nb.losses.shape[1], lr.losses.shape[1])
    each = nb.losses[:, :n] - lr.losses[:, :n]
    theirs = (nb.losses.var(axis=1, ddof=1) + lr.losses.var(axis=1, ddof=1)) / SPLITS
    deviation = np.sqrt(each.var(axis=1, ddof=1) / n + theirs)
    draw = np.random.default_rng(seed).standard_normal((resamples, len(nb.sizes)))
    found = [crossing(nb.sizes, ahead) for ahead in each.mean(axis=1) + deviation * draw]
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], method="nearest")
    return float(low), float(high)
