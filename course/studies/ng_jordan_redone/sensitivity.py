"""What else could explain the curves: the floor under variances, and other ways to come by a hyperplane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, norm
from scipy.stats import t as student

from course.studies.ng_jordan import task_kind
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.compare import Difference, gap, noise, paired
from course.studies.ng_jordan_redone.convergence import Chains, chains
from course.studies.ng_jordan_redone.hyperplanes import CHOICES, Chosen
from course.studies.ng_jordan_redone.published import SPLITS
from course.studies.ng_jordan_redone.random_hyperplane import STEPS
from course.studies.ng_jordan_redone.regimes import PLACES
from course.studies.ng_jordan_redone.reproduction import NARROW
from course.studies.ng_jordan_redone.study import at, run, some_of
from course.studies.ng_jordan_redone.variants import Variants
from course.studies.resampled import Mean
from probml.curves import Curve, LogisticRegression

CONTROL = "optdigits-23"  # where nothing is
STEP_COUNTS = (0, 1, 2, 4, 8, 16)
EQUAL = "equal"
PRIORS = {"observed": 0.0, EQUAL: protocols.FLAT}  # proportions of the classes, and how the prior is smoothed for them
NEAREST = "nearest mean"
LEAD = "coordinates, 1000 sweeps from a vertex"  # the only choice that few splits leave open: it is run on more


def cells(found: Variants) -> list[tuple[str, int]]:
    """Panels and sizes of the diagnostics: the fourth and the last of seven sizes."""
    sizes = {name: some_of(found.panels[name].sizes, PLACES) for name in (*NARROW, CONTROL)}
    return [(name, of[place]) for name, of in sizes.items() for place in (PLACES // 2, PLACES - 1)]


def diagnostics(found: Variants, splits: int, copies: int, seed: int) -> list[Chains]:
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
    """Of naive Bayes with one floor under its variances, on the continuous panels, with each of PRIORS.

    floor : infinite for the nearest mean, which has no proportions: only "equal" is there. gap : mean gap to the
    published curves, over all sizes. error : mean error at the second of seven sizes.
    """

    floor: float
    gap: Mapping[str, float]
    error: Mapping[str, float]


def floors(found: Variants, values: Sequence[float], splits: int, seed: int) -> list[Floor]:
    """The same splits for all floors: shares of the largest variance that are added to all variances; and infinite."""
    names = [name for name in found.panels if task_kind(name) == "continuous"]
    models = {f"{floor} {prior}": (floor, prior) for floor in values for prior in PRIORS} | {NEAREST: (np.inf, EQUAL)}
    each: dict[str, list[tuple[float, float]]] = {title: [] for title in models}
    for name in names:
        fits = {NEAREST: protocols.spherical(name, prior_alpha=protocols.FLAT).model}
        for title, (floor, prior) in models.items():
            if title != NEAREST:
                fits[title] = protocols.gaussian(name, prior_alpha=PRIORS[prior], floor=floor).model
        train = {m: rows[:splits] for m, rows in found.draws[name].every.items()}
        second = some_of(found.panels[name].sizes, PLACES)[1]
        for title, curve in run(protocols.gaussian(name).task, fits, train, seed).error.items():
            each[title].append((gap(curve, found.panels[name].nb).mean, at(curve, [second]).mean[0]))
    gaps: dict[float, dict[str, float]] = {floor: {} for floor in (*values, np.inf)}
    errors: dict[float, dict[str, float]] = {floor: {} for floor in (*values, np.inf)}
    for title, (floor, prior) in models.items():
        gaps[floor][prior], errors[floor][prior] = np.mean(each[title], axis=0).tolist()
    return [Floor(floor, gaps[floor], errors[floor]) for floor in gaps]


@dataclass(frozen=True)
class Hyperplanes:
    """needed : published error less ours in each cell. shift : what each choice changes, on the same splits.

    noise : standard error of `needed`, with the deviation of our splits for theirs too. splits : of each choice.
    """

    needed: Mapping[tuple[str, int], float]
    noise: Mapping[tuple[str, int], float]
    shift: Mapping[str, Mapping[tuple[str, int], Difference]]
    splits: Mapping[str, int]

    def remains(self, title: str) -> float:
        """Mean of |published - ours| over the cells, with this choice."""
        return float(np.mean([abs(needed - self.shift[title][cell].value) for cell, needed in self.needed.items()]))

    def error(self, title: str, cell: tuple[str, int]) -> float:
        """Standard error of what this choice leaves in a cell, if its errors vary as ours do.

        The change is over the first of our splits: what it shares with the mean of all of ours counts once only.
        """
        of, n = self.shift[title][cell], self.splits[title]
        change = (of.high - of.low) / 2 / student.ppf(0.975, n - 1)
        return float(np.sqrt(self.noise[cell] ** 2 + change**2 * (1 - n / SPLITS)))

    def misses(self, title: str) -> int:
        """Cells in which the 95 % interval of the change does not hold what is needed."""
        return sum(not of.low <= self.needed[cell] <= of.high for cell, of in self.shift[title].items())

    def p_value(self, title: str) -> float:
        """How often chance would leave as much, over all cells, if this were the published choice: chi-squared."""
        squares = [((n - self.shift[title][c].value) / self.error(title, c)) ** 2 for c, n in self.needed.items()]
        return float(chi2.sf(sum(squares), len(squares)))

    def by_chance(self, title: str) -> float:
        """What would then remain on average."""
        return float(np.sqrt(2 / np.pi) * np.mean([self.error(title, cell) for cell in self.needed]))


def other_hyperplanes(found: Variants, splits: int, more: int, seed: int) -> Hyperplanes:
    """All choices in the cells of the diagnostics; the one that is named LEAD on `more` splits too."""
    needed: dict[tuple[str, int], float] = {}
    error: dict[tuple[str, int], float] = {}
    longer = f"{LEAD}, {more} splits"
    number = dict.fromkeys(CHOICES, splits) | {longer: more}
    shift: dict[str, dict[tuple[str, int], Difference]] = {title: {} for title in number}
    models = {title: LogisticRegression(separable=Chosen(choice)) for title, choice in CHOICES.items()}
    others = {title: model for title, model in models.items() if title != LEAD}  # it is run on more splits
    for name, m in cells(found):
        ours, panel = _over_all_splits(found, name, m, seed), found.panels[name]
        needed[name, m] = float(panel.lr[panel.sizes == m].item() - ours.mean[0])
        error[name, m] = float(noise(ours)[0])
        curves = {}
        for some, of in ((others, splits), ({longer: models[LEAD]}, more)):
            curves |= run(protocols.logistic(name).task, some, {m: found.draws[name].every[m][:of]}, seed).error
        curves[LEAD] = at(curves[longer], [m], splits)
        for title, of in number.items():
            shift[title][name, m] = paired(at(ours, [m], of), curves[title], 0)
    return Hyperplanes(needed, error, shift, number)


def _over_all_splits(found: Variants, name: str, m: int, seed: int) -> Curve:
    """Logistic regression as described, at one size."""
    if name in NARROW:
        return at(found.full["described", name, "lr"], [m])
    trial = protocols.described(name, "lr")
    return run(trial.task, {"": trial.model}, {m: found.draws[name].every[m]}, seed).error[""]
