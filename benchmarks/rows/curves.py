"""Learning curves: batched fits beside the same fits one after the other."""

from typing import NamedTuple

import numpy as np
import sklearn.linear_model
import sklearn.naive_bayes
from joblib.executor import MemmappingExecutor
from joblib.externals.loky import get_reusable_executor
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone

from benchmarks.row import ALL_ROWS, Row, Side
from benchmarks.rows.estimators import title
from course.studies.ng_jordan import Task, ng_jordan
from course.studies.ng_jordan_redone.published import SPLITS, published
from probml.curves import BernoulliNB, GaussianNB, LogisticRegression, learning_curves
from probml.curves.splits import draw_splits

L2 = 1e-3  # a penalty, since the peer has no answer for separable parts
SOLVERS = ("newton-cholesky",)  # of scikit-learn's the fastest here
LOOPED = 2  # splits of each size, the first ones, that the peers fit
ALONE = 200  # and that one process of ours fits
ROUNDS = 3
ROUNDING = 1e-5  # log odds this near to 0 are a tie, in which both sides call the first class
OURS = {"continuous": GaussianNB(shared_variance=False), "discrete": BernoulliNB(prior_alpha=0)}
THEIRS = {"continuous": sklearn.naive_bayes.GaussianNB(), "discrete": sklearn.naive_bayes.BernoulliNB()}
Errors = list[NDArray[np.float64]]  # of a model on a task: shape (sizes, splits)


class Panel(NamedTuple):
    """A task and the sizes of its training parts."""

    task: Task
    sizes: list[int]


def study(rows: int) -> list[Panel]:
    """All 15 published experiments, at the published sizes; the first alone, for a quick look."""
    panels = list(published().items())[: 1 if rows < ALL_ROWS else None]
    return [Panel(ng_jordan(name), panel.sizes.tolist()) for name, panel in panels]


def size(panels: list[Panel]) -> str:
    """Panels, sizes, splits, fits."""
    sizes = sum(len(panel.sizes) for panel in panels)
    fits = 2 * sizes * SPLITS
    return f"{len(panels)} tasks of Ng and Jordan, {sizes} sizes, {SPLITS:,} splits each: {fits:,} fits and tests"


def batched(n_jobs: int, splits: int) -> Side:
    """Our engine on so many of the splits."""

    def run(panels: list[Panel]) -> Errors:
        errors = []
        for panel in panels:
            models = {"nb": OURS[panel.task.kind], "lr": LogisticRegression(l2=L2)}
            curves = learning_curves(
                panel.task.X, panel.task.y, panel.sizes, models, n_splits=splits, n_jobs=n_jobs, progress=False
            )
            errors += [curve.losses for curve in curves.error.values()]
        return errors

    return Side(
        f"probml.learning_curves(n_jobs={n_jobs})",
        prepare=lambda panels: panels,
        run=run,
        answer=lambda panels, errors: tuple(error[:, :LOOPED] for error in errors),
        share=splits / SPLITS,
        close=end_workers,
    )


def end_workers() -> None:
    """End joblib's workers: by themselves they would wait five minutes for more work, and whoever started them, too."""
    executor = get_reusable_executor(reuse=True)  # a new one without workers, if there is none
    # joblib's own also removes the folder through which its workers got their arrays
    end = executor.terminate if isinstance(executor, MemmappingExecutor) else executor.shutdown
    end(kill_workers=True)


def looped(solver: str, splits: int) -> Side:
    """Fit and test, split by split: the first ones of each size, which stand for all."""
    logistic = sklearn.linear_model.LogisticRegression(C=1 / L2, solver=solver, tol=1e-8, max_iter=10_000)

    def prepare(panels: list[Panel]) -> list[tuple[Task, list[NDArray[np.intp]]]]:
        return [(task, [draw_splits(task.y, m, splits, 0)[:LOOPED] for m in sizes]) for task, sizes in panels]

    def run(drawn: list[tuple[Task, list[NDArray[np.intp]]]]) -> Errors:
        return [
            np.array([[_test_error(estimator, task, train) for train in some] for some in splits])
            for task, splits in drawn
            for estimator in (THEIRS[task.kind], logistic)
        ]

    return Side(
        f"a loop over sklearn.GaussianNB() or BernoulliNB(), and {title(logistic)}",
        prepare=prepare,
        run=run,
        answer=lambda panels, errors: tuple(errors),
        share=LOOPED / SPLITS,
    )


def _test_error(estimator: ClassifierMixin, task: Task, train: NDArray[np.intp]) -> float:
    """As `predict` finds it, but that ties do not go where rounding takes them."""
    test = np.delete(np.arange(len(task.y)), train)
    fitted = clone(estimator).fit(task.X[train], task.y[train])
    if hasattr(fitted, "decision_function"):
        odds = fitted.decision_function(task.X[test])
    else:
        first, second = fitted.predict_joint_log_proba(task.X[test]).T
        odds = second - first
    return float(np.mean((odds > ROUNDING) != task.y[test]))


def _row(name: str, where: str, n_jobs: int, splits: int) -> Row:
    work = f"naive Bayes and logistic regression, l2 = {L2}, {where}"
    sides = (batched(n_jobs, splits), *(looped(solver, splits) for solver in SOLVERS))
    return Row("Learning curves", name, work, "fit and test", study, size, sides[0], sides[1:], ROUNDS, limited=False)


ROWS = (
    _row("curves", "in one process", 1, ALONE),
    _row("curves-all-cores", "ours on all cores, the peer in one process", -1, SPLITS),
)
