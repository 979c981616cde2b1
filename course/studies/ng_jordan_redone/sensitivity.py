"""What else could explain the curves: the floor under variances, and other ways to come by a hyperplane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from course.studies.ng_jordan import task_kind
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.compare import Difference, gap, paired
from course.studies.ng_jordan_redone.convergence import Chains, chains
from course.studies.ng_jordan_redone.hyperplanes import CHOICES, Chosen
from course.studies.ng_jordan_redone.random_hyperplane import STEPS
from course.studies.ng_jordan_redone.regimes import PLACES
from course.studies.ng_jordan_redone.reproduction import Reproduction
from course.studies.ng_jordan_redone.study import at, run, some_of
from course.studies.resampled import Mean
from probml.curves import LogisticRegression

NARROW = ("boston", "ionosphere", "sonar")  # where most is left unexplained
CONTROL = "optdigits-23"  # where nothing is
DIGITS = ("optdigits-01", "optdigits-23")
STEP_COUNTS = (0, 1, 2, 4, 8, 16)


def cells(found: Reproduction) -> list[tuple[str, int]]:
    """Panels and sizes of the diagnostics: the fourth and the last of seven sizes."""
    sizes = {name: some_of(found.panels[name].sizes, PLACES) for name in (*NARROW, CONTROL)}
    return [(name, of[place]) for name, of in sizes.items() for place in (PLACES // 2, PLACES - 1)]


def diagnostics(found: Reproduction, splits: int, copies: int, seed: int) -> list[Chains]:
    """Chains from the middle and from the edge of the cones of these cells."""
    return [chains(name, found.draws[name].every[m][:splits], STEP_COUNTS, copies, seed) for name, m in cells(found)]


def bias(found: Sequence[Chains], names: Sequence[str] = NARROW) -> Mean:
    """Error after the last number of steps, from both starts, less that from the centre after as many as are used.

    The mean over all cells of some panels, with its 95 % interval over splits.
    """
    used, last = STEP_COUNTS.index(STEPS), len(STEP_COUNTS) - 1
    each = [(of.centre[last] + of.edge[last]) / 2 - of.centre[used] for of in found if of.panel in names]
    error = np.sqrt(sum(of.var(ddof=1) / len(of) for of in each)) / len(each)
    return Mean(float(np.mean([of.mean() for of in each])), float(norm.ppf(0.975) * error))


@dataclass(frozen=True)
class Floor:
    """Of naive Bayes as described, with one floor under its variances, on the continuous panels.

    gap : mean gap to the published curves, over all sizes. error : mean error at the second of seven sizes.
    """

    floor: float
    gap: float
    error: float


def floors(found: Reproduction, values: Sequence[float], splits: int, seed: int) -> list[Floor]:
    """The same splits for all floors: shares of the largest variance that are added to all variances."""
    names = [name for name in found.panels if task_kind(name) == "continuous"]
    gaps, errors = np.empty((2, len(values), len(names)))
    for column, name in enumerate(names):
        trials = {str(value): protocols.gaussian(name, floor=value) for value in values}
        train = {m: rows[:splits] for m, rows in found.draws[name].every.items()}
        task = protocols.gaussian(name).task
        runs = run(task, {title: trial.model for title, trial in trials.items()}, train, seed)
        second = some_of(found.panels[name].sizes, PLACES)[1]
        for row, curve in enumerate(runs.error.values()):
            gaps[row, column] = gap(curve, found.panels[name].nb).mean
            errors[row, column] = at(curve, [second]).mean[0]
    return [
        Floor(value, *map(float, of)) for value, *of in zip(values, gaps.mean(axis=1), errors.mean(axis=1), strict=True)
    ]


@dataclass(frozen=True)
class Hyperplanes:
    """needed : published error less ours in each cell. shift : what each choice changes, on the same splits."""

    needed: Mapping[tuple[str, int], float]
    shift: Mapping[str, Mapping[tuple[str, int], Difference]]

    def remains(self, title: str) -> float:
        """Mean of |published - ours| over the cells, with this choice."""
        return float(np.mean([abs(needed - self.shift[title][cell].value) for cell, needed in self.needed.items()]))


def other_hyperplanes(found: Reproduction, splits: int, seed: int) -> Hyperplanes:
    """All choices in the cells of the diagnostics."""
    needed: dict[tuple[str, int], float] = {}
    shift: dict[str, dict[tuple[str, int], Difference]] = {title: {} for title in CHOICES}
    models = {title: LogisticRegression(separable=Chosen(choice)) for title, choice in CHOICES.items()}
    for name, m in cells(found):
        ours, panel = at(found.full["described", name, "lr"], [m]), found.panels[name]
        needed[name, m] = float(panel.lr[panel.sizes == m].item() - ours.mean[0])
        runs = run(protocols.logistic(name).task, models, {m: found.draws[name].every[m][:splits]}, seed)
        for title in CHOICES:
            shift[title][name, m] = paired(at(ours, [m], splits), runs.error[title], 0)
    return Hyperplanes(needed, shift)
