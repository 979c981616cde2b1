"""Ways to run the experiments: a task in some coding, a model, and where ties go.

A protocol is a function from the name of a task to a `Trial`. `stated` follows the paper's words, with what it leaves
open decided in the plainest way; `revealed` is what the published curves look like. In between, one thing is changed
at a time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from course.studies.ng_jordan import Task, ng_jordan, task_kind
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from probml.curves import GDA, BernoulliNB, CategoricalNB, GaussianNB, LogisticRegression, Model
from probml.curves.pool import Ties

# Narrow cones mix slowly: with 4 steps, errors of this panel are still off by about .003; with 8, by less than .001.
STEPS = {"ionosphere": 8}


@dataclass(frozen=True)
class Trial:
    """What is fitted to what. ties : where equal scores go, see `learning_curves`."""

    task: Task
    model: Model
    ties: Ties = "half"


Protocol = Callable[[str], Trial]


def gaussian(name: str, *, prior_alpha: float = 0.0) -> Trial:
    """Normal features, each with a variance that the classes share; that and the prior by maximum likelihood."""
    return Trial(ng_jordan(name), GaussianNB(prior_alpha=prior_alpha))


def spherical(name: str, *, prior_alpha: float = 0.0, two_valued: bool = False) -> Trial:
    """One variance for all features. With a flat prior the class of the nearest mean, whatever the variance is."""
    model = GDA("shared-spherical", ridge=1e-9, prior_alpha=prior_alpha)
    return Trial(ng_jordan(name, two_valued=two_valued), model)


def bernoulli(name: str, *, complete: bool = False) -> Trial:
    """Indicators, each with (# + 1) / (# + 2)."""
    return Trial(ng_jordan(name, complete=complete), BernoulliNB())


def categorical(name: str, *, ties: Ties = "half") -> Trial:
    """Attributes of k values, each with (# + 1) / (# + k), on complete rows."""
    task = ng_jordan(name, coding="categories", complete=True)
    return Trial(task, CategoricalNB(task.categories), ties)


def logistic(name: str, *, contrasts: bool = False, complete: bool = False, ties: Ties = "half") -> Trial:
    """Maximum likelihood, and a random hyperplane where the classes can be separated.

    contrasts : discrete attributes of k values are k - 1 indicators; the value that comes first in the file has none.
    """
    task = ng_jordan(name, coding="contrasts" if contrasts else "binary", complete=complete)
    return Trial(task, LogisticRegression(separable=random_hyperplane(name)), ties)


def random_hyperplane(name: str) -> RandomHyperplane:
    """The rule for separable parts of a task, with as many steps as its cones need."""
    return RandomHyperplane(STEPS.get(name, 4))


def with_inputs(name: str, *, times: float, plus: float) -> Trial:
    """`logistic`, with other inputs: times x + plus.

    Maximum likelihood does not see this. A random hyperplane does: its w and b are drawn together, so that a factor
    says how much of the direction is b's, and an offset where the hyperplanes turn.
    """
    trial = logistic(name)
    return replace(trial, task=replace(trial.task, X=times * trial.task.X + plus))


FLAT = np.inf  # smoothing of the prior that makes it uniform

CONTINUOUS_NB: Mapping[str, Protocol] = {
    "as stated": gaussian,
    "flat prior": partial(gaussian, prior_alpha=FLAT),
    "one variance": spherical,
    "one variance, flat prior": partial(spherical, prior_alpha=FLAT),
}
DISCRETE_NB: Mapping[str, Protocol] = {
    "as stated": bernoulli,
    "complete rows": partial(bernoulli, complete=True),
    "and categories": categorical,
    "and ties to class 1": partial(categorical, ties="last"),
}
INPUTS: Mapping[str, Protocol] = {
    "[0, 1]": partial(with_inputs, times=1.0, plus=0.0),
    "[-1, 1]": partial(with_inputs, times=2.0, plus=-1.0),
    "[0, 0.1]": partial(with_inputs, times=0.1, plus=0.0),
    "[0, 100]": partial(with_inputs, times=100.0, plus=0.0),
}
DISCRETE_LR: Mapping[str, Protocol] = {
    "as stated": logistic,
    "complete rows": partial(logistic, complete=True),
    "and ties to class 1": partial(logistic, complete=True, ties="last"),
    "and one indicator fewer": partial(logistic, contrasts=True, complete=True, ties="last"),
}


def stated(name: str) -> dict[str, Trial]:
    """Both classifiers as the paper states them: "nb" and "lr"."""
    nb = gaussian if task_kind(name) == "continuous" else bernoulli
    return {"nb": nb(name), "lr": logistic(name)}


def revealed(name: str) -> dict[str, Trial]:
    """Both classifiers as the published curves have them, as far as we could find out."""
    if task_kind(name) == "continuous":
        return {"nb": spherical(name, prior_alpha=FLAT, two_valued=name == "ionosphere"), "lr": logistic(name)}
    return {"nb": categorical(name, ties="last"), "lr": logistic(name, contrasts=True, complete=True, ties="last")}
