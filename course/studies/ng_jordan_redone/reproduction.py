"""All candidates of all panels on the same splits, and which of them come closest to the published curves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import ng_jordan, task_kind
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.compare import ALL, EVEN, ODD, Gap, gap, gap_change
from course.studies.ng_jordan_redone.protocols import CANDIDATES, Classifier, Trial
from course.studies.ng_jordan_redone.published import Panel
from course.studies.ng_jordan_redone.splits import Draws, draws
from course.studies.ng_jordan_redone.study import Runs, run
from probml.curves import Curve

Family = tuple[str, Classifier]
NAMES: Mapping[Classifier, str] = {"nb": "naive Bayes", "lr": "logistic regression"}
INPUT_PANELS = ("pima", "optdigits-23", "liver", "sonar")  # on which the range of the inputs is varied
WIDE = "ionosphere"  # the panel whose columns are varied
COLUMNS = {32: False, 34: True}  # of the ionosphere: without and with the binary and the constant one


@dataclass(frozen=True)
class Reproduction:
    """Learning curves at all published sizes.

    tried : for each panel and classifier, the curve of each candidate, over the first few splits; columns : likewise,
    by classifier and number of columns, of the ionosphere. full : what is described ("described") and what is chosen
    ("reconstructed"), over all splits; logistic regression as described, of discrete panels, over the first few.
    separable : share of separable training parts, shape (S,), as described. chosen : titles of the closest candidates.
    """

    panels: Mapping[str, Panel]
    draws: Mapping[str, Draws]
    tried: Mapping[tuple[str, Classifier], Mapping[str, Curve]]
    columns: Mapping[tuple[Classifier, int], Curve]
    full: Mapping[tuple[str, str, Classifier], Curve]
    separable: Mapping[str, NDArray[np.float64]]
    chosen: Mapping[Family, str]
    chosen_columns: Mapping[Classifier, int]

    def gap(self, protocol: str, name: str, which: Classifier, sizes: slice = ALL) -> Gap:
        """Of a curve of `full` to the published one."""
        return gap(self.full[protocol, name, which], getattr(self.panels[name], which), sizes)

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

        All in points of error, the last with a standard error of the paired difference.
        """
        found = []
        for family, candidates in CANDIDATES.items():
            best = self.chosen[family]
            for title in candidates:
                odd, even = (100 * self.gap_of(family, title, sizes) for sizes in (ODD, EVEN))
                more, error = self.change(family, title, best, EVEN)
                farther = "chosen" if title == best else f"{100 * more:+.2f} ± {100 * error:.2f}".replace("-", "−")
                chance = 100 * self.chance_of(family, title, EVEN)
                kind = f"{NAMES[family[1]]}, {family[0]}"
                found.append([kind, title, f"{odd:.2f}", f"{even:.2f}", f"{chance:.2f}", farther])
        return found


def reproduce(panels: Mapping[str, Panel], splits: int, few: int, seed: int) -> Reproduction:
    """Try all candidates on the first few splits, choose at odd sizes, and run what is described and chosen on all."""
    drawn = {name: draws(name, panel.sizes, splits, seed) for name, panel in panels.items()}
    tried: dict[tuple[str, Classifier], dict[str, Curve]] = {}
    separable = {}
    for name in panels:
        for which in NAMES:
            trials = {
                title: protocol(name)
                for title, protocol in protocols.candidates(name, which).items()
                if is_tried(name, which) or title == described(name, which)
            }
            runs: dict[str, Runs] = {}
            for title, trial in trials.items():  # some candidates are the same where no value is missing
                same = next((other for other in runs if trials[other].same_as(trial)), None)
                runs[title] = runs[same] if same else trial_runs(trial, drawn[name], few, seed)
            tried[name, which] = {title: each.error[""] for title, each in runs.items()}
            if which == "lr":
                separable[name] = runs[described(name, which)].separable[""].mean(axis=1)
    columns = {
        (which, number): trial_runs(protocol(WIDE, two_valued=wide), drawn[WIDE], few, seed).error[""]
        for number, wide in COLUMNS.items()
        for which, protocol in (
            ("nb", partial(protocols.spherical, prior_alpha=protocols.FLAT)),
            ("lr", protocols.logistic),
        )
    }
    found = Reproduction(panels, drawn, tried, columns, {}, separable, {}, {})
    chosen = {family: min(of, key=lambda title: found.gap_of(family, title, ODD)) for family, of in CANDIDATES.items()}
    of_columns = {
        which: min(COLUMNS, key=lambda n: gap(columns[which, n], getattr(panels[WIDE], which), ODD).mean)
        for which in NAMES
    }
    found = replace(found, chosen=chosen, chosen_columns=of_columns)
    full = {
        (protocol, name, which): _all_splits(found, protocol, name, which, few, seed)
        for name in panels
        for which in NAMES
        for protocol in ("described", "reconstructed")
    }
    # Where nothing is changed, what is reconstructed is what is described.
    return replace(found, full={key: of or full["described", *key[1:]] for key, of in full.items()})


def described(name: str, which: Classifier) -> str:
    """Title of the candidate that the paper describes."""
    return next(iter(protocols.candidates(name, which)))


def is_tried(name: str, which: Classifier) -> bool:
    """Whether all candidates are tried on this panel; that of the described one is always run."""
    return (task_kind(name), which) != ("continuous", "lr") or name in INPUT_PANELS


def _all_splits(found: Reproduction, protocol: str, name: str, which: Classifier, few: int, seed: int) -> Curve | None:
    """A curve over all splits, of which the first few may be there; None if it is that of the protocol described."""
    title = described(name, which) if protocol == "described" else found.chosen[task_kind(name), which]
    trial = protocols.candidates(name, which)[title](name)
    first = found.tried[name, which].get(title)
    if protocol == "described" and (task_kind(name), which) == ("discrete", "lr"):
        return first
    if protocol == "reconstructed" and name == WIDE:
        number = found.chosen_columns[which]
        trial, first = replace(trial, task=ng_jordan(WIDE, two_valued=COLUMNS[number])), found.columns[which, number]
        if title == described(name, which) and not COLUMNS[number]:
            return None
    elif protocol == "reconstructed" and title == described(name, which):
        return None
    skip = 0 if first is None else few
    rest = trial_runs(trial, found.draws[name], None, seed, skip).error[""]
    return rest if first is None else Curve(rest.sizes, np.concatenate([first.losses, rest.losses], axis=1))


def trial_runs(trial: Trial, drawn: Draws, splits: int | None, seed: int, skip: int = 0) -> Runs:
    """One model, "", on the first so many splits, or on those after `skip`."""
    train = drawn.complete if trial.complete else drawn.every
    train = {m: rows[:splits] for m, rows in train.items()}
    return run(trial.task, {"": trial.model}, train, seed, trial.ties, skip)
