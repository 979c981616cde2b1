"""What rows of classifiers have in common: to fit, and to predict."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import ClassifierMixin, clone

from benchmarks.row import Row, Side


@dataclass(frozen=True)
class Problem:
    """Examples to fit to, X of shape (m, n) and y of shape (m,), and examples X_new to predict."""

    name: str
    X: NDArray | sparse.csr_array
    y: NDArray
    X_new: NDArray | sparse.csr_array


Answer = Callable[[ClassifierMixin, Problem], tuple]


def log_posteriors(model: ClassifierMixin, problem: Problem) -> tuple[NDArray]:
    """What a fitted model says of the examples to predict: every parameter has a part in it."""
    return (model.predict_log_proba(problem.X_new),)


def rows(
    name: str,
    work: str,
    setup: Callable[[], Problem],
    ours: ClassifierMixin,
    peers: tuple[ClassifierMixin, ...],
    answer: Answer = log_posteriors,
) -> tuple[Row, Row]:
    """A row for `fit`, with `answer` compared, and one for `predict`, with classes and log posteriors compared."""

    def row(task: str, side: Callable[[ClassifierMixin], Side], size: Callable[[Problem], str]) -> Row:
        return Row(f"{name}-{task}", f"{work}: {task}", setup, size, side(ours), tuple(side(peer) for peer in peers))

    return (
        row("fit", lambda model: _fit(model, answer), lambda problem: size_of(problem.name, problem.X)),
        row("predict", _predict, lambda problem: size_of(problem.name, problem.X_new)),
    )


def title(estimator: object) -> str:
    """Package, class and settings of an estimator."""
    return f"{type(estimator).__module__.split('.')[0]}.{' '.join(repr(estimator).split())}"


def _fit(model: ClassifierMixin, answer: Answer) -> Side:
    return Side(
        title(model),
        prepare=lambda problem: problem,
        run=lambda problem: clone(model).fit(problem.X, problem.y),
        answer=lambda problem, fitted: answer(fitted, problem),
    )


def _predict(model: ClassifierMixin) -> Side:
    def answer(state: tuple[ClassifierMixin, Problem], predicted: NDArray) -> tuple[NDArray, NDArray]:
        fitted, problem = state
        return np.searchsorted(fitted.classes_, predicted), *log_posteriors(fitted, problem)

    return Side(
        title(model),
        prepare=lambda problem: (clone(model).fit(problem.X, problem.y), problem),
        run=lambda state: state[0].predict(state[1].X_new),
        answer=answer,
    )


def size_of(name: str, X: NDArray | sparse.csr_array) -> str:
    """Name and shape of the data."""
    shape = " × ".join(f"{length:,}" for length in X.shape)
    return f"{name}, {shape}" + (f", {X.nnz:,} counts" if sparse.issparse(X) else "")
