"""What goes with the direction of a lead: rows per feature, size, classes, discreteness."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from course.studies.two_regimes.database import Database
from course.studies.two_regimes.leads import Comparisons, Share

Array = NDArray[np.float64]
MIN_SETS = 12  # for a bin to be shown

PREDICTORS = {
    "features": lambda of: np.log(of.features),
    "rows": lambda of: np.log(of.rows),
    "classes": lambda of: np.log(of.classes),
    "largest class": lambda of: of.largest_class,
    "symbolic share": lambda of: of.discrete,
}


@dataclass(frozen=True)
class ByRatio:
    """The share of data sets on which a generative learner is ahead, by training examples per feature.

    ratio : centres of the bins, shape (bins,). ahead, mean : share of sets ahead and mean lead. low, high : of the
    share, 95 % by a bootstrap over families. sets : in each bin.
    """

    ratio: Array
    ahead: Array
    mean: Array
    low: Array
    high: Array
    sets: NDArray[np.intp]


def by_ratio(database: Database, comparisons: Comparisons, resamples: int, rng: np.random.Generator) -> ByRatio:
    """Bins of a factor of two of m / n; of each data set, the mean lead at its sizes in the bin counts once."""
    leads: dict[int, list[tuple[int, float]]] = {}
    for number, each in comparisons.items():
        if number not in database.described:
            continue
        place = np.floor(np.log2(each.sizes / database.described[number].features)).astype(int)
        for k in np.unique(place):
            leads.setdefault(int(k), []).append((database.family[number], float(each.lead[place == k].mean())))
    kept = {k: leads[k] for k in sorted(leads) if len(leads[k]) >= MIN_SETS}
    rows = []
    for k, found in kept.items():
        values = np.array([lead for _, lead in found])
        _, group = np.unique([family for family, _ in found], return_inverse=True)
        sets, hits = np.bincount(group), np.bincount(group, values > 0)
        times = rng.multinomial(len(sets), np.full(len(sets), 1 / len(sets)), size=resamples)
        low, high = np.quantile((times @ hits) / (times @ sets), [0.025, 0.975])
        rows.append((2.0 ** (k + 0.5), (values > 0).mean(), values.mean(), low, high, len(values)))
    ratio, ahead, mean, low, high, sets = np.array(rows).T
    return ByRatio(ratio, ahead, mean, low, high, sets.astype(np.intp))


@dataclass(frozen=True)
class Rank:
    """A rank correlation with its interval."""

    value: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.low > 0 or self.high < 0


def shown(ranks: tuple[Rank, Rank]) -> str:
    """Both ends, with an asterisk where the interval excludes 0."""
    return ", ".join(f"{each.value:+.2f}{'*' * each.clear}".replace("-", "−") for each in ranks)


def rank_correlations(
    database: Database, comparisons: Comparisons, resamples: int, level: float, rng: np.random.Generator
) -> dict[str, tuple[Rank, Rank]]:
    """Spearman's correlation of each predictor with the early and with the late lead.

    Intervals are value ± z s, with s the standard deviation of the correlation of the ranks in samples of families.
    """
    numbers = [number for number in comparisons if number in database.described]
    _, group = np.unique([database.family[number] for number in numbers], return_inverse=True)
    families = group.max() + 1
    weight = rng.multinomial(families, np.full(families, 1 / families), size=resamples)[:, group].astype(float)
    ends = [rankdata([getattr(comparisons[number], end)().mean for number in numbers]) for end in ("early", "late")]
    z = NormalDist().inv_cdf((1 + level) / 2)
    found = {}
    for name, predictor in PREDICTORS.items():
        x = rankdata([predictor(database.described[number]) for number in numbers])
        values = [float(weighted_correlation(x, y, np.ones((1, len(x))))[0]) for y in ends]
        spread = [z * float(weighted_correlation(x, y, weight).std()) for y in ends]
        found[name] = tuple(Rank(v, v - s, v + s) for v, s in zip(values, spread, strict=True))
    return found


def weighted_correlation(x: Array, y: Array, weight: Array) -> Array:
    """Pearson's correlation of x and y, shape (N,), with each row of weights, shape (R, N). Shape (R,)."""
    total = weight.sum(axis=1)
    mean_x, mean_y = weight @ x / total, weight @ y / total
    covariance = weight @ (x * y) / total - mean_x * mean_y
    variance_x, variance_y = weight @ x**2 / total - mean_x**2, weight @ y**2 / total - mean_y**2
    return covariance / np.sqrt(variance_x * variance_y)


def common(all_comparisons: Mapping[str, Comparisons]) -> set[int]:
    """Data sets on which every generative learner can be compared."""
    return set.intersection(*(set(each) for each in all_comparisons.values()))


def ahead_between(database: Database, comparisons: Comparisons, low: float, high: float) -> Share:
    """Data sets on which the generative learner is ahead on average at sizes with low <= m / n < high."""
    ahead = []
    for number, each in comparisons.items():
        if number in database.described:
            ratio = each.sizes / database.described[number].features
            inside = (low <= ratio) & (ratio < high)
            if inside.any():
                ahead.append(each.lead[inside].mean() > 0)
    return Share(int(sum(ahead)), len(ahead))


def on_both_sides(
    database: Database, comparisons: Comparisons, below: float, above: float
) -> dict[int, tuple[bool, bool]]:
    """Whether the generative learner is ahead at m / n < below, and at m / n >= above, on data sets that have both."""
    found = {}
    for number, each in comparisons.items():
        if number in database.described:
            ratio = each.sizes / database.described[number].features
            few, many = each.lead[ratio < below], each.lead[ratio >= above]
            if few.size and many.size:
                found[number] = (bool(few.mean() > 0), bool(many.mean() > 0))
    return found
