"""All candidates of all panels on the same splits, and which of them come closest to the published curves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import task_kind
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.compare import EVEN, ODD, gap, gap_change
from course.studies.ng_jordan_redone.protocols import CANDIDATES, COLUMNS, WIDE, Classifier
from course.studies.ng_jordan_redone.published import Panel
from course.studies.ng_jordan_redone.reproduction import NAMES, NARROW, Reproduction, draws_of, trial_runs
from course.studies.ng_jordan_redone.splits import Draws
from course.studies.ng_jordan_redone.study import Runs, at
from probml.curves import Curve

Family = tuple[str, Classifier]
INPUT_PANELS = ("pima", "optdigits-23", "liver", "sonar")  # on which the range of the inputs is varied


@dataclass(frozen=True)
class Variants(Reproduction):
    """All candidates. In `full`, curves of logistic regression are over all splits on NARROW panels only.

    tried : for each panel and classifier, the curve of each candidate, over the first few splits; columns : likewise,
    by classifier and number of columns, of the ionosphere. chosen : titles of the closest candidates at odd sizes.
    """

    tried: Mapping[tuple[str, Classifier], Mapping[str, Curve]]
    columns: Mapping[tuple[Classifier, int], Curve]
    chosen: Mapping[Family, str]
    chosen_columns: Mapping[Classifier, int]

    def family(self, family: Family) -> list[str]:
        """Panels on which the candidates of a family were tried."""
        kind, which = family
        return [name for name in self.panels if task_kind(name) == kind and is_tried(name, which)]

    def gap_of(self, family: Family, title: str, sizes: slice) -> float:
        """Mean gap of a candidate over the panels of its family."""
        which = family[1]
        names = self.family(family)
        return float(
            np.mean(
                [gap(self.tried[name, which][title], getattr(self.panels[name], which), sizes).mean for name in names]
            )
        )

    def chance_of(self, family: Family, title: str, sizes: slice) -> float:
        """What the mean gap of a candidate would be by chance."""
        which = family[1]
        names = self.family(family)
        each = [gap(self.tried[name, which][title], getattr(self.panels[name], which), sizes) for name in names]
        return float(np.mean([of.by_chance for of in each]))

    def change(self, family: Family, new: str, old: str, sizes: slice) -> tuple[float, float]:
        """Mean gap of one candidate less that of another, and its standard error, paired."""
        return gap_change(
            *([self.tried[name, family[1]][title] for name in self.family(family)] for title in (new, old)),
            [getattr(self.panels[name], family[1]) for name in self.family(family)],
            sizes,
        )

    def rows(self) -> list[list[str]]:
        """A row for each candidate: mean gaps at odd and even sizes, by chance, and how much farther than the chosen.

        All in points of error, the last with a standard error of the paired difference. Naive Bayes of continuous
        panels has one more row: the chosen candidate, with the chosen columns of the ionosphere.
        """
        found = []
        for family, candidates in CANDIDATES.items():
            best = self.chosen[family]
            for title in candidates:
                odd, even = (100 * self.gap_of(family, title, sizes) for sizes in (ODD, EVEN))
                more, error = self.change(family, title, best, EVEN)
                farther = "chosen" if title == best else f"{100 * more:+.2f} ± {100 * error:.2f}".replace("-", "−")
                chance = 100 * self.chance_of(family, title, EVEN)
                found.append([self._kind(family), title, f"{odd:.2f}", f"{even:.2f}", f"{chance:.2f}", farther])
            if family == ("continuous", "nb"):
                found.append(self._row_of_columns(best))
        return found

    def _kind(self, family: Family) -> str:
        """Name of a family, with the number of its panels if candidates were not tried on all."""
        kind, which = family
        tried, every = len(self.family(family)), sum(task_kind(name) == kind for name in self.panels)
        return f"{NAMES[which]}, {kind}" + (f", {tried} of {every} panels" if tried < every else "")

    def with_columns(self, title: str) -> dict[str, Curve]:
        """Naive Bayes of continuous panels, over the first few splits, with the chosen columns of the ionosphere."""
        curves = {name: self.tried[name, "nb"][title] for name in self.family(("continuous", "nb"))}
        return curves | {WIDE: self.columns["nb", self.chosen_columns["nb"]]}

    def _row_of_columns(self, best: str) -> list[str]:
        new = self.with_columns(best)
        old = [self.tried[name, "nb"][best] for name in new]
        published = [self.panels[name].nb for name in new]
        odd, even = ([gap(*each, sizes) for each in zip(new.values(), published, strict=True)] for sizes in (ODD, EVEN))
        means = (np.mean([of.mean for of in odd]), np.mean([of.mean for of in even]))
        cells = [f"{100 * value:.2f}" for value in (*means, np.mean([of.by_chance for of in even]))]
        more, error = gap_change(list(new.values()), old, published, EVEN)
        change = f"{100 * more:+.2f} ± {100 * error:.2f}".replace("-", "−")
        title = f"the same, {WIDE} with {self.chosen_columns['nb']} columns"
        return [self._kind(("continuous", "nb")), title, *cells, change]


def try_all(panels: Mapping[str, Panel], splits: int, few: int, seed: int) -> Variants:
    """Run all candidates on the first few of the splits that are drawn, and choose at odd sizes."""
    drawn = draws_of(panels, splits, seed)
    curves: dict[tuple[str, Classifier], dict[str, Curve]] = {}
    separable: dict[str, NDArray[np.float64]] = {}
    for name in panels:
        for which in NAMES:
            runs = _candidates(drawn[name], name, which, few, seed)
            curves[name, which] = {title: each.error[""] for title, each in runs.items()}
            if which == "lr":
                described = runs[protocols.title_described(name, which)]
                separable[name] = described.separable[""][:, :few].mean(axis=1)
    tried = {of: {title: _first(curve, few) for title, curve in each.items()} for of, each in curves.items()}
    full = {}
    for name, which in curves:
        full["described", name, which] = curves[name, which][protocols.title_described(name, which)]
        full["reconstructed", name, which] = curves[name, which][protocols.CLOSEST[task_kind(name), which]]
    columns, full["reconstructed", WIDE, "nb"] = _columns(drawn[WIDE], full, few, seed)
    found = Variants(panels, drawn, full, separable, tried, columns, {}, {})
    chosen = {family: min(of, key=lambda title: found.gap_of(family, title, ODD)) for family, of in CANDIDATES.items()}
    of_columns = {
        which: min(COLUMNS, key=lambda n: gap(columns[which, n], getattr(panels[WIDE], which), ODD).mean)
        for which in NAMES
    }
    return replace(found, chosen=chosen, chosen_columns=of_columns)


def is_tried(name: str, which: Classifier) -> bool:
    """Whether all candidates are tried on this panel; that of the described one is always run."""
    return (task_kind(name), which) != ("continuous", "lr") or name in INPUT_PANELS


def _candidates(drawn: Draws, name: str, which: Classifier, few: int, seed: int) -> dict[str, Runs]:
    """Runs of the candidates of one panel by their titles."""
    trials = {
        title: protocol(name)
        for title, protocol in protocols.candidates(name, which).items()
        if is_tried(name, which) or title == protocols.title_described(name, which)
    }
    kept = {protocols.title_described(name, which), protocols.CLOSEST[task_kind(name), which]}
    runs: dict[str, Runs] = {}
    for title, trial in trials.items():  # some candidates are the same where no value is missing
        same = next((other for other in runs if trials[other].same_as(trial)), None)
        number = None if title in kept and (which == "nb" or name in NARROW) else few
        runs[title] = runs[same] if same else trial_runs(trial, drawn, number, seed)
    return runs


def _columns(
    drawn: Draws, full: Mapping[tuple[str, str, Classifier], Curve], few: int, seed: int
) -> tuple[dict[tuple[Classifier, int], Curve], Curve]:
    """Both classifiers with both numbers of columns, on the first few splits; and the closest naive Bayes on all."""
    wide = trial_runs(protocols.reconstructed(WIDE, "nb"), drawn, None, seed).error[""]
    logistic = trial_runs(protocols.logistic(WIDE, two_valued=True), drawn, few, seed).error[""]
    return {
        ("nb", 32): _first(full["reconstructed", WIDE, "nb"], few),
        ("nb", 34): _first(wide, few),
        ("lr", 32): _first(full["described", WIDE, "lr"], few),
        ("lr", 34): logistic,
    }, wide


def _first(curve: Curve, few: int) -> Curve:
    return at(curve, curve.sizes, few)
