"""The data sets that we have, run by ourselves: which logistic regression is the generative model compared with?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t
from sklearn.linear_model import LogisticRegression as SklearnLogistic

from course.datasets import load
from course.studies.ng_jordan import ng_jordan, task_kind, task_names, task_source
from course.studies.resampled import Mean, mean_of
from course.studies.two_regimes.fitted import Fitted
from course.studies.two_regimes.pseudo_lda import PseudoLDA
from probml.curves import GDA, BernoulliNB, Curve, GaussianNB, LogisticRegression, Model, learning_curves

Array = NDArray[np.float64]
EARLY = (16, 23, 32)  # the smallest sizes of the database
MAX_SIZE = 1024
SHRINKAGE = 0.2

AS_RUN = "as in the database"
CONVERGED = "solver run to the end"
SCALED = "and features scaled"
UNPENALISED = "and no penalty"
DISCRIMINATIVE = (AS_RUN, CONVERGED, SCALED, UNPENALISED)
LDA, SHRUNKEN, NAIVE = "LDA", "LDA, shrunken", "naive Bayes"
_OF_NAIVE_BAYES = tuple((each, late) for each in (SCALED, UNPENALISED) for late in (False, True))

# Units matter to the first two; all others are run on features of mean 0 and standard deviation 1.
RAW: dict[str, Model] = {
    AS_RUN: Fitted(SklearnLogistic(max_iter=100)),
    CONVERGED: Fitted(SklearnLogistic(solver="newton-cholesky", max_iter=1000)),
}
STANDARDISED: dict[str, Model] = {
    SCALED: LogisticRegression(l2=1.0),
    UNPENALISED: LogisticRegression(separable="margin"),
    LDA: PseudoLDA(),
    SHRUNKEN: GDA(shrinkage=SHRINKAGE),
}


@dataclass(frozen=True)
class Runs:
    """Test errors of all models on the same splits of one data set, at three small and three large sizes."""

    sizes: NDArray[np.intp]
    error: Mapping[str, Curve]

    def lead(self, generative: str, discriminative: str, *, late: bool) -> Mean:
        """Mean lead over the three sizes of an end, with its interval over random splits of these rows."""
        where = slice(3, None) if late else slice(None, 3)
        each = (self.error[discriminative].losses[where] - self.error[generative].losses[where]).mean(axis=0)
        half = t.ppf(0.975, len(each) - 1) * each.std(ddof=1) / np.sqrt(len(each))
        return Mean(float(each.mean()), float(half))


def over_problems(runs: Mapping[str, Runs], one: str, other: str, *, late: bool) -> Mean:
    """Mean lead of one model over the other, with its interval over the problems, as if they were a random sample."""
    return mean_of([of.lead(one, other, late=late).mean for of in runs.values()])


def at_both_ends(runs: Mapping[str, Runs], one: str, other: str) -> str:
    """Mean leads over the problems early and late, in points; nothing for a model against itself."""
    if one == other:
        return ""
    return "; ".join(over_problems(runs, one, other, late=late).in_points() for late in (False, True))


def points(runs: Runs) -> list[str]:
    """Leads of naive Bayes over logistic regression with a penalty, early and late, and over that without one."""
    return [runs.lead(NAIVE, each, late=late).in_points() for each, late in _OF_NAIVE_BAYES]


def mean_points(runs: Mapping[str, Runs]) -> list[str]:
    """The same leads, as means over the problems with intervals over them."""
    return [over_problems(runs, NAIVE, each, late=late).in_points() for each, late in _OF_NAIVE_BAYES]


def continuous_names() -> list[str]:
    """The problems with continuous features."""
    return [name for name in task_names() if task_kind(name) == "continuous"]


def discrete_names() -> list[str]:
    """The problems with discrete features, of at least a hundred rows."""
    return [name for name in task_names() if task_kind(name) == "discrete" and name != "lenses"]


def in_own_units(name: str) -> tuple[Array, NDArray[np.intp]]:
    """Features of a continuous problem as the file has them, and its classes."""
    task, data = ng_jordan(name), load(task_source(name))
    X = data.X[:, data.continuous]
    if len(X) > len(task.y):  # rows of other classes are left out: each name ends in the digits that are kept
        kept = np.isin(np.array(data.class_names)[data.y], list(name[-2:]))
        X = X[kept]
    return X, task.y


def standardised(X: Array) -> Array:
    """Mean 0 and standard deviation 1 over all rows; a constant column becomes 0."""
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)


def sizes_of(rows: int) -> list[int]:
    """Three small sizes and three large ones, the last of at most 81 % of the rows, as in the database."""
    last = min(int(0.81 * rows), MAX_SIZE)
    return [*EARLY, int(last / 2), int(last / np.sqrt(2)), last]


def run_continuous(name: str, splits: int, seed: int) -> Runs:
    """Four logistic regressions, LDA with and without shrinkage, and Gaussian naive Bayes."""
    X, y = in_own_units(name)
    sizes = sizes_of(len(y))
    models = STANDARDISED | {NAIVE: GaussianNB(shared_variance=False, var_smoothing=1e-3)}
    return _runs(sizes, [(X, RAW), (standardised(X), models)], y, splits, seed)


def run_discrete(name: str, splits: int, seed: int) -> Runs:
    """On indicators of 0 and 1: logistic regression with and without a penalty, LDA, and Bernoulli naive Bayes."""
    task = ng_jordan(name)
    models = {SCALED: LogisticRegression(l2=1.0), UNPENALISED: LogisticRegression(separable="margin")}
    models |= {LDA: STANDARDISED[LDA], NAIVE: BernoulliNB()}
    return _runs(sizes_of(len(task.y)), [(task.X, models)], task.y, splits, seed)


def _runs(
    sizes: list[int], work: Sequence[tuple[Array, Mapping[str, Model]]], y: NDArray[np.intp], splits: int, seed: int
) -> Runs:
    error: dict[str, Curve] = {}
    for X, models in work:
        error |= learning_curves(X, y, sizes, models, n_splits=splits, seed=seed, ties="half", progress=False).error
    return Runs(np.array(sizes), error)
