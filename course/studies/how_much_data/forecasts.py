"""Every curve of the Learning Curve Database, cut at some sizes, extrapolated to 2 and 4 times that, and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.studies.how_much_data.laws import LAWS, forecast
from course.studies.two_regimes.database import Database, Published
from probml.comparison.extrapolation import FITTED_SIZES, Extrapolation, ends

Array = NDArray[np.float64]
Rows = NDArray[np.bool_]
CUTS = (64, 256, 1024)  # examples: 5, 9 and 13 sizes of the database
TIMES = (2, 4)
FEWEST_SIZES = 5
OUTER_SPLITS, HELD_OUT = 5, 0.1  # of the database: five test parts of a tenth of the rows
SHARED = 0.5  # correlation of the errors of two sizes over the splits, which the aggregate does not tell
REPLICATES = 100
MISFITS = np.round(np.arange(0, 0.161, 0.01), 2)
TOOL, SAME = "package", "no change"


@dataclass(frozen=True)
class Forecasts:
    """One row for each curve, cut and distance. All arrays have the shape (N,), intervals (N, 2).

    seen : the size at which the curve is cut. truth : the error that the database has at `times` that size. now : at
    the cut. supported, against : whether the package stands by its prediction, and why not. value, interval : by law.
    widened : of the package, for each misfit of MISFITS, shape (N, M, 2).
    """

    data_set: NDArray[np.intp]
    family: NDArray[np.intp]
    learner: NDArray[np.str_]
    seen: NDArray[np.intp]
    times: NDArray[np.intp]
    truth: Array
    now: Array
    supported: Rows
    against: NDArray[np.str_]
    value: Mapping[str, Array]
    interval: Mapping[str, Array]
    widened: Array

    @property
    def chosen_on(self) -> Rows:
        """The half of the families on which choices are made: every other one; the others verify them."""
        families = np.unique(self.family)
        return np.isin(self.family, families[::2])

    def covers(self, law: str) -> Array:
        """Whether the interval of a law holds the error that was measured, as 0 and 1."""
        low, high = self.interval[law].T
        return ((low <= self.truth) & (self.truth <= high)).astype(float)

    def covers_with(self, misfit: float) -> Array:
        """The same of the package, with another misfit."""
        low, high = self.widened[:, int(np.abs(misfit - MISFITS).argmin())].T
        return ((low <= self.truth) & (self.truth <= high)).astype(float)

    def miss(self, law: str) -> Array:
        """Absolute difference of the prediction from the error that was measured."""
        return np.abs(self.value[law] - self.truth)


class Share(NamedTuple):
    """A mean over data sets with its interval, which draws whole families of them. sets, rows : how many there are."""

    mean: float
    low: float
    high: float
    sets: int
    rows: int

    def in_percent(self) -> str:
        """For a table."""
        return f"{100 * self.mean:.1f} ({100 * self.low:.1f} to {100 * self.high:.1f})"


def over_sets(of: Forecasts, values: Array, which: Rows, resamples: int, rng: np.random.Generator) -> Share:
    """The mean of each data set counts once; the interval of 95 % is that of a bootstrap over families."""
    sets, where = np.unique(of.data_set[which], return_inverse=True)
    mean = np.bincount(where, values[which]) / np.bincount(where)
    first = np.unique(where, return_index=True)[1]
    families, belongs = np.unique(of.family[which][first], return_inverse=True)
    total, count = np.bincount(belongs, mean), np.bincount(belongs)
    drawn = rng.multinomial(len(families), np.full(len(families), 1 / len(families)), resamples)
    low, high = np.quantile((drawn @ total) / (drawn @ count), [0.025, 0.975])
    return Share(float(mean.mean()), float(low), float(high), len(sets), int(which.sum()))


def replicates(curve: Published, stop: int, rng: np.random.Generator) -> Array:
    """Curves as they might have been with other rows, shape (REPLICATES, stop).

    The database has means and standard deviations but no single splits. The variance of a mean is after Nadeau and
    Bengio, with five test parts; the errors of two sizes have the correlation SHARED.
    """
    spread = np.maximum(curve.sd[:stop], 1e-4) * np.sqrt(1 / OUTER_SPLITS + HELD_OUT / (1 - HELD_OUT))
    common, own = rng.normal(size=(REPLICATES, 1)), rng.normal(size=(REPLICATES, stop))
    drawn: Array = curve.error[:stop] + spread * (np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own)
    return np.maximum(drawn, 0)


def first_fitted(curve: Array) -> int:
    """Place of the first size of a fit: as the package has it, from the peak on, and seven sizes at most."""
    return min(max(int(curve.argmax()), len(curve) - FITTED_SIZES), len(curve) - 2)


def weights(curve: Array, sd: Array) -> Array:
    """Of the sizes in a fit, as the package has them."""
    return np.asarray(1 / np.maximum(sd, max(1e-3 * float(curve.mean()), 1e-12)) ** 2)


def forecasts(database: Database, seed: int, cuts: Sequence[int] = CUTS) -> Forecasts:
    """All of them."""
    rng = np.random.default_rng([seed, 69])
    found: list[dict[str, Any]] = []
    for number, of in database.curves.items():
        for learner, curve in of.items():
            for cut in cuts:
                stop = int(np.searchsorted(curve.sizes, cut, side="right"))
                ahead = [k for k in TIMES if k * cut in curve.sizes]
                if cut in curve.sizes and stop >= FEWEST_SIZES and ahead:
                    rows = _at_cut(curve, stop, ahead, rng)
                    found += [
                        {"data_set": number, "family": database.family[number], "learner": learner, **r} for r in rows
                    ]
    columns = {key: np.array([row[key] for row in found]) for key in found[0] if key not in ("value", "interval")}
    laws = found[0]["value"]
    value = {law: np.array([row["value"][law] for row in found]) for law in laws}
    interval = {law: np.array([row["interval"][law] for row in found]) for law in found[0]["interval"]}
    return Forecasts(**columns, value=value, interval=interval)


def _at_cut(curve: Published, stop: int, ahead: list[int], rng: np.random.Generator) -> list[dict[str, Any]]:
    sizes, error, sd = curve.sizes[:stop], curve.error[:stop], curve.sd[:stop]
    drawn, start, w = replicates(curve, stop, rng), first_fitted(error), weights(error, sd)
    package = Extrapolation.of(sizes, error, drawn, sd, rng)
    there = [k * int(sizes[-1]) for k in ahead]
    values, ranges = {}, {}
    for name, law in LAWS.items():
        values[name] = forecast(law, sizes[start:], error[None, start:], w[start:], there)[0]
        ranges[name] = ends(forecast(law, sizes[start:], drawn[:, start:], w[start:], there))
    rows = []
    for place, (k, n) in enumerate(zip(ahead, there, strict=True)):
        value, low, high = package.at(n)
        against = package.against(n)
        plain = package.replicated(n)
        spread = np.exp(MISFITS[:, None] * np.log2(n / sizes[-1]) * package.misfit)
        rows.append(
            {
                "seen": int(sizes[-1]),
                "times": k,
                "truth": curve.error[curve.sizes == n].item(),
                "now": error[-1],
                "supported": not against,
                "against": against,
                "value": {name: float(v[place]) for name, v in values.items()} | {TOOL: value, SAME: float(error[-1])},
                "interval": {name: (lo[place], hi[place]) for name, (lo, hi) in ranges.items()} | {TOOL: (low, high)},
                "widened": np.quantile(plain * spread, [0.025, 0.975], axis=1).T,
            }
        )
    return rows


def smallest_misfit(of: Forecasts, half: Rows, level: float = 0.95) -> float:
    """The smallest of MISFITS with which supported predictions of twice the size are covered on one half."""
    which = half & of.supported & (of.times == 2)
    rng = np.random.default_rng(0)
    enough = [m for m in MISFITS if over_sets(of, of.covers_with(float(m)), which, 2, rng).mean >= level]
    return float(enough[0]) if enough else float("inf")


def of_law(law: str) -> str:
    """As the reader knows it."""
    return {TOOL: "package", SAME: "no change"}.get(law) or LAWS[law].title
