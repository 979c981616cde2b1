"""Ways to run the experiments: a task in some coding, a model, and where ties go.

A protocol is a function from the name of a task to a `Trial`. For each kind of panel and classifier there are several
candidates. The first follows the paper's words, with what it leaves open decided in the plainest way; which of them is
closest to the published curves, `reproduction.py` finds out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from course.studies.ng_jordan import Task, ng_jordan, task_kind
from course.studies.ng_jordan_redone.categorical import CategoricalNB
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from probml.curves import GDA, BernoulliNB, GaussianNB, LogisticRegression, Model
from probml.curves.pool import Ties

Classifier = Literal["nb", "lr"]
FLAT = np.inf  # smoothing of the prior that makes it uniform


@dataclass(frozen=True)
class Trial:
    """What is fitted to what. ties : where equal scores go. complete : rows with missing values are left out."""

    task: Task
    model: Model
    ties: Ties = "half"
    complete: bool = False

    def same_as(self, other: "Trial") -> bool:
        """Whether the other trial is of the same model and the same examples, seen alike."""
        a, b = self.task, other.task
        alike = np.array_equal(a.X, b.X) and np.array_equal(a.y, b.y)
        return alike and (self.model, self.ties) == (other.model, other.ties)


Protocol = Callable[[str], Trial]


def gaussian(name: str, *, prior_alpha: float = 0.0, floor: float = 1e-9) -> Trial:
    """Normal features, each with a variance that the classes share; that and the prior by maximum likelihood.

    floor : share of the largest variance of a feature that is added to all variances.
    """
    return Trial(ng_jordan(name), GaussianNB(prior_alpha=prior_alpha, var_smoothing=floor))


def spherical(name: str, *, prior_alpha: float = 0.0, two_valued: bool = False) -> Trial:
    """One variance for all features. With a flat prior the class of the nearest mean, whatever the variance is."""
    model = GDA("shared-spherical", ridge=1e-9, prior_alpha=prior_alpha)
    return Trial(ng_jordan(name, two_valued=two_valued), model)


def bernoulli(name: str, *, complete: bool = False) -> Trial:
    """Indicators, each with (# + 1) / (# + 2)."""
    return Trial(ng_jordan(name, complete=complete), BernoulliNB(), complete=complete)


def categorical(name: str, *, ties: Ties = "half") -> Trial:
    """Attributes of k values, each with (# + 1) / (# + k), on complete rows."""
    task = ng_jordan(name, coding="categories", complete=True)
    return Trial(task, CategoricalNB(task.categories), ties, complete=True)


def logistic(name: str, *, contrasts: bool = False, complete: bool = False, two_valued: bool = False) -> Trial:
    """Maximum likelihood, and a random hyperplane where the classes can be separated.

    contrasts : discrete attributes of k values are k - 1 indicators; the value that comes first in the file has none.
    """
    coding = "contrasts" if contrasts else "binary"
    task = ng_jordan(name, coding=coding, complete=complete, two_valued=two_valued)
    return Trial(task, LogisticRegression(separable=RandomHyperplane()), complete=complete)


def with_inputs(name: str, *, times: float, plus: float) -> Trial:
    """`logistic`, with other inputs: times x + plus.

    Maximum likelihood does not see this. A random hyperplane does: its w and b are drawn together, so that a factor
    says how much of the direction is b's, and an offset where the hyperplanes turn.
    """
    trial = logistic(name)
    return replace(trial, task=replace(trial.task, X=times * trial.task.X + plus))


# The candidates of each kind of panel and classifier; the first is what the paper describes.
CANDIDATES: Mapping[tuple[str, Classifier], Mapping[str, Protocol]] = {
    ("continuous", "nb"): {
        "a variance for each feature, observed prior": gaussian,
        "a variance for each feature, flat prior": partial(gaussian, prior_alpha=FLAT),
        "one variance, observed prior": spherical,
        "one variance, flat prior (nearest mean)": partial(spherical, prior_alpha=FLAT),
    },
    ("discrete", "nb"): {
        "indicators, all rows": bernoulli,
        "indicators, complete rows": partial(bernoulli, complete=True),
        "categories, complete rows, ties halved": categorical,
        "categories, complete rows, ties to class 0": partial(categorical, ties="first"),
        "categories, complete rows, ties to class 1": partial(categorical, ties="last"),
    },
    ("discrete", "lr"): {
        "an indicator for each value, all rows": logistic,
        "an indicator for each value, complete rows": partial(logistic, complete=True),
        "one indicator fewer, complete rows": partial(logistic, contrasts=True, complete=True),
    },
    ("continuous", "lr"): {
        "features in [0, 1]": partial(with_inputs, times=1.0, plus=0.0),
        "features in [-1, 1]": partial(with_inputs, times=2.0, plus=-1.0),
        "features in [0, 0.1]": partial(with_inputs, times=0.1, plus=0.0),
        "features in [0, 100]": partial(with_inputs, times=100.0, plus=0.0),
    },
}


# Those that come closest to the published curves at the odd sizes: note 68 tries all of them, and finds these.
CLOSEST: Mapping[tuple[str, Classifier], str] = {
    ("continuous", "nb"): "one variance, flat prior (nearest mean)",
    ("discrete", "nb"): "categories, complete rows, ties to class 1",
    ("discrete", "lr"): "one indicator fewer, complete rows",
    ("continuous", "lr"): "features in [0, 1]",
}
WIDE = "ionosphere"  # the panel whose columns are varied
COLUMNS = {32: False, 34: True}  # of the ionosphere: without and with the binary and the constant one
CLOSEST_COLUMNS: Mapping[Classifier, int] = {"nb": 34, "lr": 32}


def candidates(name: str, which: Classifier) -> Mapping[str, Protocol]:
    """Those of the kind of the panel `name`."""
    return CANDIDATES[task_kind(name), which]


def title_described(name: str, which: Classifier) -> str:
    """Title of the candidate that the paper describes."""
    return next(iter(candidates(name, which)))


def described(name: str, which: Classifier) -> Trial:
    """What the paper describes."""
    return candidates(name, which)[title_described(name, which)](name)


def reconstructed(name: str, which: Classifier) -> Trial:
    """What comes closest to the published curves."""
    trial = candidates(name, which)[CLOSEST[task_kind(name), which]](name)
    if name != WIDE:
        return trial
    return replace(trial, task=ng_jordan(WIDE, two_valued=COLUMNS[CLOSEST_COLUMNS[which]]))
