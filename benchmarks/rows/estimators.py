"""What rows of estimators have in common: to fit, to predict, to transform."""

import importlib
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from benchmarks.row import Row, Side
from benchmarks.rows.problems import Matrix, Problem, Source

Model: TypeAlias = Any  # an estimator: they have methods in common, and no type
Value: TypeAlias = Any  # an array or a number
Result = TypeVar("Result")
LONGEST_NAME = 100  # letters
Answer = Callable[[Model, Problem], tuple]


class Elsewhere(BaseEstimator):
    """An estimator of a package that may not be installed, which is imported when it is fitted.

    path : of its class. options : of its constructor, those of `tol` apart. tolerance : what it calls `tol`.
    """

    def __init__(
        self, path: str, options: Mapping[str, object], *, tolerance: str = "tol", tol: float | None = None
    ) -> None:
        self.path = path
        self.options = options
        self.tolerance = tolerance
        self.tol = tol

    @property
    def package(self) -> str:
        """The module that has it."""
        return self.path.rpartition(".")[0]

    @property
    def title(self) -> str:
        """Package, class and options."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.package.partition('.')[0]}.{self.path.rpartition('.')[2]}({options})"

    def fit(self, X: Matrix, y: Value) -> Self:
        """Fit the estimator."""
        tol = {} if self.tol is None else {self.tolerance: self.tol}
        model = getattr(importlib.import_module(self.package), self.path.rpartition(".")[2])
        self.model_ = model(**self._options(len(y)), **tol)
        self.model_.fit(X, y)
        return self

    def _options(self, m: int) -> dict[str, Any]:
        """Options for m examples."""
        return dict(self.options)

    @property
    def coef_(self) -> Value:
        """Its coefficients."""
        return self.model_.coef_

    @coef_.setter
    def coef_(self, value: Value) -> None:
        self.model_.coef_ = value

    @property
    def intercept_(self) -> Value:
        """Its intercepts."""
        return self.model_.intercept_

    @intercept_.setter
    def intercept_(self, value: Value) -> None:
        self.model_.intercept_ = value

    def predict(self, X: Matrix) -> Value:
        """What it predicts."""
        check_is_fitted(self, "model_")
        return self.model_.predict(X)


def title(estimator: Model) -> str:
    """Package, class and settings of an estimator."""
    if hasattr(estimator, "title"):
        return str(estimator.title)
    called = " ".join(repr(estimator).split())
    settings = called if len(called) <= LONGEST_NAME else f"{called[:LONGEST_NAME]} ...)"
    return f"{type(estimator).__module__.split('.')[0]}.{settings}"


def package(estimator: Model) -> str | None:
    """The module that it needs, if it is not of the course's own environment."""
    return getattr(estimator, "package", None)


def quietly(work: Callable[[], Result]) -> Result:
    """Its result, without complaints that the last step of a solver is next to rounding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return work()


def log_posteriors(model: Model, problem: Problem) -> tuple:
    """What a fitted model says of the examples to predict: every parameter has a part in it."""
    return (model.predict_log_proba(problem.X_new),)


def fit_side(model: Model, answer: Answer) -> Side:
    """To fit, with `answer` compared."""
    return Side(
        title(model),
        prepare=lambda problem: problem,
        run=lambda problem: quietly(lambda: clone(model).fit(problem.X, problem.y)),
        answer=lambda problem, fitted: answer(fitted, problem),
        package=package(model),
    )


def predict_side(model: Model, answer: Answer = log_posteriors) -> Side:
    """To predict, with classes and `answer` compared."""
    return Side(
        title(model),
        prepare=lambda problem: (clone(model).fit(problem.X, problem.y), problem),
        run=lambda state: state[0].predict(state[1].X_new),
        answer=lambda state, predicted: (np.searchsorted(state[0].classes_, predicted), *answer(*state)),
        package=package(model),
    )


def transform_side(model: Model, answer: Answer) -> Side:
    """To transform, with `answer` of what comes out compared."""
    return Side(
        title(model),
        prepare=lambda problem: (clone(model).fit(problem.X, problem.y), problem),
        run=lambda state: state[0].transform(state[1].X_new),
        answer=lambda state, transformed: answer(transformed, state[1]),
        package=package(model),
    )


def rows(
    family: str,
    work: str,
    sources: Mapping[str, Source],
    ours: Model,
    peers: tuple[Model, ...],
    answer: Answer = log_posteriors,
) -> tuple[Row, ...]:
    """For each source of data, by its name, a row for `fit`, with `answer` compared, and one for `predict`."""
    return tuple(
        Row(
            family,
            f"{name}-{task}",
            work,
            task,
            source,
            lambda problem: problem.size,
            side(ours),
            tuple(map(side, peers)),
        )
        for name, source in sources.items()
        for task, side in (("fit", lambda model: fit_side(model, answer)), ("predict", predict_side))
    )


def dense_or_sparse(transformed: Matrix) -> tuple:
    """What came out, to be compared."""
    return (sparse.csr_array(transformed) if sparse.issparse(transformed) else np.asarray(transformed),)
