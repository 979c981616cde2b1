"""The early and the late regime: who is ahead, by what rule for separable training subsets, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import ng_jordan, task_kind, task_source
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.published import Panel
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from course.studies.ng_jordan_redone.reproduction import Reproduction
from course.studies.ng_jordan_redone.study import Runs, at, doubling, run, some_of
from course.studies.resampled import Mean, mean_of, resampled_interval
from probml.curves import Curve, LogisticRegression, Model
from probml.curves.splits import draw_splits

Array = NDArray[np.float64]
RULES = {
    "random": "a random hyperplane",
    "margin": "the largest margin",
    "ridge": "a small penalty if separable",
    "l2": "a penalty everywhere",
}
RECONSTRUCTED: Mapping[str, protocols.Classifier] = {"nb": "nb", "random": "lr"}
PLACES = 7  # sizes of each panel at which the rules are compared, the first and the last among them
L2 = 1.0
# Many training subsets of these are not separable, even small ones.
OVERLAP = ("adult-discrete", "breast-cancer", "sick")


@dataclass(frozen=True)
class Contest:
    """Errors on the same splits of one panel: "nb", "nearest mean" if continuous, and each of RULES.

    rows : of the task. separable : share of separable training subsets at each size, shape (S,).
    """

    sizes: NDArray[np.intp]
    error: Mapping[str, Curve]
    separable: Array
    rows: int

    def lead(self, rule: str, place: int, nb: str = "nb") -> Array:
        """Error of logistic regression less that of naive Bayes on each split, shape (splits,)."""
        return self.error[rule].losses[place] - self.error[nb if nb in self.error else "nb"].losses[place]


def both(
    found: Reproduction, splits: int, late_splits: int, seed: int
) -> tuple[dict[str, Contest], dict[str, Contest]]:
    """Contests at seven of the published sizes, on the first splits of the reproduction; and beyond the last."""
    within = {}
    for name, panel in found.panels.items():
        sizes = some_of(panel.sizes, PLACES)
        # Naive Bayes and random hyperplanes are there already, on the same splits.
        known = {"nb": found.full["described", name, "nb"], "random": found.full["described", name, "lr"]}
        runs = run(
            ng_jordan(name), _models(name, ("margin", "ridge")), found.draws[name].some(sizes, splits).every, seed
        )
        there = {title: at(curve, sizes, splits) for title, curve in known.items()}
        within[name] = _contest(name, np.array(sizes), runs, there)
    return within, later({name: int(panel.sizes[-1]) for name, panel in found.panels.items()}, late_splits, seed)


def as_reconstructed(found: Reproduction) -> dict[str, Contest]:
    """Contests at seven of the published sizes, as reconstructed, with random hyperplanes: "nb" and "random"."""
    contests = {}
    for name, panel in found.panels.items():
        sizes = some_of(panel.sizes, PLACES)
        curves = {rule: at(found.full["reconstructed", name, which], sizes) for rule, which in RECONSTRUCTED.items()}
        separable = found.separable[name][np.isin(panel.sizes, sizes)]
        contests[name] = Contest(np.array(sizes), curves, separable, len(ng_jordan(name).y))
    return contests


def later(last: Mapping[str, int], splits: int, seed: int) -> dict[str, Contest]:
    """All rules beyond the last published size, up to nine tenths of the rows, where these are more."""
    found = {}
    for name, m in last.items():
        if sizes := doubling(m, len(ng_jordan(name).y)):
            models = _models(name, (RandomHyperplane(), "margin", "ridge"))
            models["nb"] = next(iter(protocols.candidates(name, "nb").values()))(name).model
            task = ng_jordan(name)
            runs = run(task, models, {size: draw_splits(task.y, size, splits, seed) for size in sizes}, seed)
            found[name] = _contest(name, np.array(sizes), runs, {})
    return found


def _models(name: str, rules: tuple) -> dict[str, Model]:
    models: dict[str, Model] = {"lr": LogisticRegression(separable=rules), "l2": LogisticRegression(l2=L2)}
    if task_kind(name) == "continuous":
        models["nearest mean"] = protocols.spherical(name, prior_alpha=protocols.FLAT).model
    return models


def _contest(name: str, sizes: NDArray[np.intp], runs: Runs, there: Mapping[str, Curve]) -> Contest:
    named = {title.removeprefix("lr (").removesuffix(")"): curve for title, curve in runs.error.items()}
    return Contest(sizes, named | dict(there), runs.separable["lr"].mean(axis=1), len(ng_jordan(name).y))


@dataclass(frozen=True)
class Lead:
    """The mean over panels of how far naive Bayes is ahead.

    error : standard error over the splits of these data sets. low, high : 95 % interval over data sets like these.
    """

    value: float
    error: float
    low: float
    high: float


def at_the_end(within: Mapping[str, Contest], beyond: Mapping[str, Contest]) -> dict[str, Contest]:
    """The contest of each panel that has its largest size."""
    return {name: beyond.get(name, contest) for name, contest in within.items()}


def mean_lead(found: Mapping[str, Contest], rule: str, place: int, resamples: int, seed: int) -> Lead:
    """Over all panels, at one of the sizes; the interval by a bootstrap over data sets."""
    each = {name: contest.lead(rule, place) for name, contest in found.items()}
    error = np.sqrt(sum(of.var(ddof=1) / len(of) for of in each.values())) / len(each)
    return _over_data_sets({name: float(of.mean()) for name, of in each.items()}, float(error), resamples, seed)


def published_lead(panels: Mapping[str, Panel], place: int, resamples: int, seed: int) -> Lead:
    """That of the published curves, at one of the seven sizes. Its splits are not known: the error is nan."""
    return _over_data_sets({name: _at_place(panel, place) for name, panel in panels.items()}, np.nan, resamples, seed)


def _at_place(panel: Panel, place: int) -> float:
    """The published lead at one of the seven sizes."""
    return float((panel.lr - panel.nb)[panel.sizes == some_of(panel.sizes, PLACES)[place]].item())


def _over_data_sets(leads: Mapping[str, float], error: float, resamples: int, seed: int) -> Lead:
    values = np.array(list(leads.values()))
    means = _weights(list(leads), resamples, seed) @ values
    return Lead(float(values.mean()), error, *np.quantile(means, [0.025, 0.975]).tolist())


@dataclass(frozen=True)
class Share:
    """Share of the mean lead under random hyperplanes that is gone under another rule; intervals as in `Lead`."""

    value: float
    error: float
    low: float
    high: float


def share_of_rule(
    found: Mapping[str, Contest], rule: str, place: int, resamples: int, seed: int, nb: str = "nb"
) -> Share:
    """At one of the sizes."""
    leads = np.array([[c.lead(each, place, nb).mean() for c in found.values()] for each in ("random", rule)])
    random, other = (_weights(list(found), resamples, seed) @ leads.T).T
    low, high = np.quantile(1 - other / random, [0.025, 0.975])
    ratio = leads[1].mean() / leads[0].mean()
    # Of other - ratio random, which has the mean 0, over the splits: the error of a ratio, to first order.
    each = [c.lead(rule, place, nb) - ratio * c.lead("random", place, nb) for c in found.values()]
    error = np.sqrt(sum(of.var(ddof=1) / len(of) for of in each)) / len(each) / leads[0].mean()
    return Share(float(1 - ratio), float(error), float(low), float(high))


def _weights(names: Sequence[str], resamples: int, seed: int) -> Array:
    """Weights of the panels in each resample of data sets, shape (resamples, panels)."""
    sources = [task_source(name) for name in names]
    kinds = sorted(set(sources))
    times = np.random.default_rng(seed).multinomial(len(kinds), np.full(len(kinds), 1 / len(kinds)), size=resamples)
    weights = times[:, [kinds.index(source) for source in sources]].astype(np.float64)
    return weights / weights.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Count:
    """Panels in which naive Bayes is ahead, logistic regression is, and neither clearly is."""

    nb: tuple[str, ...]
    lr: tuple[str, ...]
    undecided: tuple[str, ...]

    def cell(self) -> str:
        """nb / lr / undecided."""
        return f"{len(self.nb)} / {len(self.lr)} / {len(self.undecided)}"


def count(intervals: Mapping[str, Mean]) -> Count:
    """From intervals of the lead of naive Bayes in each panel."""
    nb = tuple(name for name, of in intervals.items() if of.low > 0)
    lr = tuple(name for name, of in intervals.items() if of.high < 0)
    return Count(nb, lr, tuple(name for name in intervals if name not in (*nb, *lr)))


def early(found: Mapping[str, Contest], rule: str, place: int, nb: str = "nb") -> dict[str, Mean]:
    """Leads with intervals over the splits of these data sets, by Student's t."""
    return {name: mean_of(contest.lead(rule, place, nb)) for name, contest in found.items()}


def late(within: Mapping[str, Contest], beyond: Mapping[str, Contest], rule: str, nb: str = "nb") -> dict[str, Mean]:
    """Leads at the largest size of each panel, with intervals that allow for other examples (Nadeau and Bengio)."""
    found = {}
    for name, contest in at_the_end(within, beyond).items():
        m = int(contest.sizes[-1])
        found[name] = resampled_interval(contest.lead(rule, -1, nb), m, contest.rows - m)
    return found
