"""Learning curves: batched fits beside the same fits one after the other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sklearn.linear_model
import sklearn.naive_bayes
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone

from benchmarks.row import Row, Side
from benchmarks.rows.classifiers import title
from probml.curves import BernoulliNB, LogisticRegression, Model, learning_curves
from probml.curves.splits import draw_splits
from probml.datasets.ng_jordan import Task, ng_jordan

L2 = 1e-3  # a penalty, since the peer has no answer for separable parts
SOLVERS = ("lbfgs", "newton-cholesky")


@dataclass(frozen=True)
class Study:
    """A task, sizes of training parts, and how many splits of each."""

    task: Task
    sizes: tuple[int, ...]
    n_splits: int


def voting() -> Study:
    """Voting records: a sample of the splits of the study, for the sake of the peers."""
    return Study(ng_jordan("voting"), (10, 30, 70), 20)


def size(study: Study) -> str:
    """Task, splits and sizes."""
    rows, features = study.task.X.shape
    sizes = ", ".join(map(str, study.sizes))
    return f"{study.task.name}, {rows:,} × {features}, {study.n_splits} splits of each size {sizes}"


def batched(name: str, models: dict[str, Model]) -> Side:
    """Our engine, in one process, as the peers are."""
    return Side(
        name,
        prepare=lambda study: study,
        run=lambda study: learning_curves(
            study.task.X, study.task.y, study.sizes, models, n_splits=study.n_splits, n_jobs=1, progress=False
        ),
        answer=lambda study, curves: tuple(curve.losses for curve in curves.error.values()),
    )


def looped(estimators: Callable[[], tuple[ClassifierMixin, ...]]) -> Side:
    """Fit and test, split by split."""
    name = " and ".join(title(estimator) for estimator in estimators())

    def run(study: Study) -> list[NDArray[np.float64]]:
        X, y = study.task.X, study.task.y
        errors = [np.empty((len(study.sizes), study.n_splits)) for _ in estimators()]
        for place, m in enumerate(study.sizes):
            for split, train in enumerate(draw_splits(y, m, study.n_splits, 0)):
                test = np.delete(np.arange(len(y)), train)
                for error, estimator in zip(errors, estimators(), strict=True):
                    fitted = clone(estimator).fit(X[train], y[train])
                    error[place, split] = np.mean(fitted.predict(X[test]) != y[test])
        return errors

    return Side(name, prepare=lambda study: study, run=run, answer=lambda study, errors: tuple(errors))


def peers(solver: str) -> Callable[[], tuple[ClassifierMixin, ...]]:
    """Naive Bayes and logistic regression of scikit-learn."""
    return lambda: (
        sklearn.naive_bayes.BernoulliNB(),
        sklearn.linear_model.LogisticRegression(C=1 / L2, solver=solver, tol=1e-8, max_iter=1000),
    )


ROWS = (
    Row(
        "curves",
        "learning curves: naive Bayes and logistic regression on random splits",
        voting,
        size,
        batched(
            f"probml.learning_curves(BernoulliNB(prior_alpha=0), LogisticRegression(l2={L2}))",
            {"nb": BernoulliNB(prior_alpha=0), "lr": LogisticRegression(l2=L2)},
        ),
        tuple(looped(peers(solver)) for solver in SOLVERS),
    ),
)
