"""The early and the late regime: who is ahead, by what rule for separable training subsets, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import ng_jordan, task_kind, task_source
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.published import Panel
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from course.studies.ng_jordan_redone.reproduction import Reproduction, trial_runs
from course.studies.ng_jordan_redone.study import Runs, at, largest, run, some_of
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
REBUILT: Mapping[str, protocols.Classifier] = {"nb": "nb", "random": "lr"}  # known from the reproduction
PLACES = 7  # sizes of each panel at which the rules are compared, the first and the last among them
L2 = 1.0
# Many training subsets of these are not separable, even small ones.
OVERLAP = ("adult-discrete", "breast-cancer", "sick")


@dataclass(frozen=True)
class Contest:
    """Errors on the same splits of one panel: "nb", and rules of RULES; as described, "nearest mean" if continuous.

    rows : of the task. separable : share of separable training subsets at each size, shape (S,).
    """

    sizes: NDArray[np.intp]
    error: Mapping[str, Curve]
    separable: Array
    rows: int

    def lead(self, rule: str, place: int, nb: str = "nb") -> Array:
        """Error of logistic regression less that of naive Bayes on each split, shape (splits,)."""
        return self.error[rule].losses[place] - self.error[nb if nb in self.error else "nb"].losses[place]


@dataclass(frozen=True)
class Contests:
    """By panel: at seven of the published sizes, and at the largest where that lies beyond them.

    within, beyond : as described, with all RULES. rebuilt, rebuilt_beyond : as reconstructed, "random" and "margin".
    """

    within: Mapping[str, Contest]
    beyond: Mapping[str, Contest]
    rebuilt: Mapping[str, Contest]
    rebuilt_beyond: Mapping[str, Contest]


def contests(found: Reproduction, splits: int, late_splits: int, seed: int) -> Contests:
    """Within the published sizes on the first splits of the reproduction."""
    last = {name: int(panel.sizes[-1]) for name, panel in found.panels.items()}
    within, beyond = as_described(found, splits, seed), later(last, late_splits, seed)
    rebuilt = as_reconstructed(found, within, splits, seed)
    return Contests(within, beyond, rebuilt, later_as_reconstructed(last, beyond, late_splits, seed))


def as_described(found: Reproduction, splits: int, seed: int) -> dict[str, Contest]:
    """All rules at seven of the published sizes."""
    within = {}
    for name, panel in found.panels.items():
        sizes = some_of(panel.sizes, PLACES)
        # Naive Bayes and random hyperplanes are there already, on the same splits.
        known = {"nb": found.full["described", name, "nb"], "random": found.full["described", name, "lr"]}
        models = _models(("margin", "ridge"))
        if task_kind(name) == "continuous":
            models["nearest mean"] = protocols.spherical(name, prior_alpha=protocols.FLAT).model
        runs = run(ng_jordan(name), models, found.draws[name].some(sizes, splits).every, seed)
        there = {title: at(curve, sizes, splits) for title, curve in known.items()}
        within[name] = _contest(np.array(sizes), runs, there, len(ng_jordan(name).y))
    return within


def as_reconstructed(found: Reproduction, within: Mapping[str, Contest], splits: int, seed: int) -> dict[str, Contest]:
    """Random hyperplanes and the largest margin at seven of the published sizes."""
    rebuilt = {}
    for name, panel in found.panels.items():
        sizes = some_of(panel.sizes, PLACES)
        error = {title: at(found.full["reconstructed", name, which], sizes, splits) for title, which in REBUILT.items()}
        trial = protocols.reconstructed(name, "lr")
        if trial.same_as(protocols.described(name, "lr")):
            margin, separable = within[name].error["margin"], within[name].separable
        else:
            with_margin = replace(trial, model=LogisticRegression(separable="margin"))
            runs = trial_runs(with_margin, found.draws[name].some(sizes), splits, seed)
            margin, separable = runs.error[""], runs.separable[""].mean(axis=1)
        rebuilt[name] = Contest(np.array(sizes), error | {"margin": margin}, separable, len(trial.task.y))
    return rebuilt


def later(last: Mapping[str, int], splits: int, seed: int) -> dict[str, Contest]:
    """All rules at nine tenths of the rows, or at `study.MOST`, where that is beyond the last published size."""
    found = {}
    for name, m in last.items():
        task = ng_jordan(name)
        if (size := largest(len(task.y))) > m:
            models = _models((RandomHyperplane(), "margin", "ridge"))
            models["nb"] = protocols.described(name, "nb").model
            runs = run(task, models, {size: draw_splits(task.y, size, splits, seed)}, seed)
            found[name] = _contest(np.array([size]), runs, {}, len(task.y))
    return found


def later_as_reconstructed(
    last: Mapping[str, int], beyond: Mapping[str, Contest], splits: int, seed: int
) -> dict[str, Contest]:
    """Likewise as reconstructed: random hyperplanes and the largest margin."""
    found = {}
    for name, m in last.items():
        nb, lr = (protocols.reconstructed(name, which) for which in REBUILT.values())
        if (size := largest(len(lr.task.y))) > m:
            train = {size: draw_splits(lr.task.y, size, splits, seed)}
            there = {"nb": run(nb.task, {"": nb.model}, train, seed, nb.ties).error[""]}
            if lr.same_as(protocols.described(name, "lr")):
                there |= {rule: beyond[name].error[rule] for rule in ("random", "margin")}
                found[name] = Contest(np.array([size]), there, beyond[name].separable, len(lr.task.y))
            else:
                models = {"lr": LogisticRegression(separable=(RandomHyperplane(), "margin"))}
                found[name] = _contest(np.array([size]), run(lr.task, models, train, seed), there, len(lr.task.y))
    return found


def _models(rules: tuple) -> dict[str, Model]:
    return {"lr": LogisticRegression(separable=rules), "l2": LogisticRegression(l2=L2)}


def _contest(sizes: NDArray[np.intp], runs: Runs, there: Mapping[str, Curve], rows: int) -> Contest:
    named = {title.removeprefix("lr (").removesuffix(")"): curve for title, curve in runs.error.items()}
    return Contest(sizes, named | dict(there), runs.separable["lr"].mean(axis=1), rows)


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


def early(found: Mapping[str, Contest], rule: str, place: int) -> dict[str, Mean]:
    """Leads with intervals over the splits of these data sets, by Student's t."""
    return {name: mean_of(contest.lead(rule, place)) for name, contest in found.items()}


def late(within: Mapping[str, Contest], beyond: Mapping[str, Contest], rule: str) -> dict[str, Mean]:
    """Leads at the largest size of each panel, with intervals that allow for other examples (Nadeau and Bengio)."""
    found = {}
    for name, contest in at_the_end(within, beyond).items():
        m = int(contest.sizes[-1])
        found[name] = resampled_interval(contest.lead(rule, -1), m, contest.rows - m)
    return found
