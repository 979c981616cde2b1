"""The fifteen experiments, as the paper describes them and as its curves suggest that they were run."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import task_kind
from course.studies.ng_jordan_redone import protocols
from course.studies.ng_jordan_redone.compare import ALL, Gap, gap
from course.studies.ng_jordan_redone.protocols import Classifier, Trial
from course.studies.ng_jordan_redone.published import Panel
from course.studies.ng_jordan_redone.splits import Draws, draws
from course.studies.ng_jordan_redone.study import Runs, run
from probml.curves import Curve

NAMES: Mapping[Classifier, str] = {"nb": "naive Bayes", "lr": "logistic regression"}
NARROW = ("boston", "ionosphere", "sonar")  # where logistic regression is not reproduced
PROTOCOLS = {"described": protocols.described, "reconstructed": protocols.reconstructed}


@dataclass(frozen=True)
class Reproduction:
    """Learning curves at all published sizes.

    full : by protocol, panel and classifier, over all splits; of logistic regression as described on discrete panels
    over the first few. separable : share of separable training subsets, shape (S,), as described, over the first few.
    """

    panels: Mapping[str, Panel]
    draws: Mapping[str, Draws]
    full: Mapping[tuple[str, str, Classifier], Curve]
    separable: Mapping[str, NDArray[np.float64]]

    def gap(self, protocol: str, name: str, which: Classifier, sizes: slice = ALL) -> Gap:
        """Of one of our curves to the published one."""
        return gap(self.full[protocol, name, which], getattr(self.panels[name], which), sizes)


def reproduce(panels: Mapping[str, Panel], splits: int, few: int, seed: int) -> Reproduction:
    """All panels, both classifiers, both protocols."""
    found = Reproduction(panels, draws_of(panels, splits, seed), {}, {})
    full, separable = {}, {}
    for name in panels:
        for which in NAMES:
            curves, runs = both_protocols(found.draws[name], name, which, few, seed)
            full |= {(protocol, name, which): curve for protocol, curve in curves.items()}
            if which == "lr":
                separable[name] = runs.separable[""][:, :few].mean(axis=1)
    return Reproduction(panels, found.draws, full, separable)


def draws_of(panels: Mapping[str, Panel], splits: int, seed: int) -> dict[str, Draws]:
    """The training subsets of all panels at their published sizes."""
    return {name: draws(name, panel.sizes, splits, seed) for name, panel in panels.items()}


def both_protocols(drawn: Draws, name: str, which: Classifier, few: int, seed: int) -> tuple[dict[str, Curve], Runs]:
    """Our curves of one classifier on one panel by protocol, and the runs of the described one."""
    trials = {protocol: trial_of(name, which) for protocol, trial_of in PROTOCOLS.items()}
    runs = trial_runs(trials["described"], drawn, few if (task_kind(name), which) == ("discrete", "lr") else None, seed)
    curves = {"described": runs.error[""]}
    if trials["reconstructed"].same_as(trials["described"]):
        return curves | {"reconstructed": runs.error[""]}, runs
    return curves | {"reconstructed": trial_runs(trials["reconstructed"], drawn, None, seed).error[""]}, runs


def trial_runs(trial: Trial, drawn: Draws, splits: int | None, seed: int) -> Runs:
    """One model, "", on the first so many splits, or on all of them."""
    train = drawn.complete if trial.complete else drawn.every
    return run(trial.task, {"": trial.model}, {m: rows[:splits] for m, rows in train.items()}, seed, trial.ties)
