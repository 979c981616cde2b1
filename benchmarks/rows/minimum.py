"""Rows of models that are fitted by iteration: all sides go to within 1e-8 of the minimum of the same objective."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone, is_classifier

from benchmarks.memory import in_child
from benchmarks.row import NotNearError, Row, Side
from benchmarks.rows.estimators import Model, fit_side, package, quietly, title
from benchmarks.rows.problems import Problem, Source
from probml.losses import Loss
from probml.objectives import LinearObjective, Objective, SoftmaxObjective
from probml.solvers import finite_newton, newton, newton_cg
from probml.solvers.finite_newton import is_piecewise_parabolic

GAP = 1e-8  # what all sides have to come near to the minimum, relative to it
TOLERANCES = 10.0 ** -np.arange(1, 13)
SOLVED = 500  # parameters up to which the minimum is found with the Hessian
ENOUGH = 2000  # examples from which models learn what they then predict with


@dataclass(frozen=True)
class Fitting:
    """A problem, the objectives whose sum is to be minimal, each with a share of the coefficients, and the minimum."""

    problem: Problem
    objectives: tuple[Objective, ...]
    minimum: float

    def gap(self, model: Model) -> float:
        """How far the model is above the minimum, relative to that."""
        coef, intercept = (getattr(model, f"svm_{name}", getattr(model, name)) for name in ("coef_", "intercept_"))
        coef = np.atleast_2d(coef)
        theta = np.column_stack([coef, np.broadcast_to(np.ravel(intercept), len(coef))])
        parts = [theta] if len(self.objectives) == 1 else theta
        value = sum(objective.value(np.ravel(part)) for objective, part in zip(self.objectives, parts, strict=True))
        return float((value - self.minimum) / abs(self.minimum))


Objectives = Callable[[Problem], tuple[Objective, ...]]


def linear(loss: Loss, l2: float = 0.0) -> Objectives:
    """One predictor."""
    return lambda problem: (LinearObjective(problem.X, problem.y, loss, l2=l2),)


def softmax(l2: float = 0.0) -> Objectives:
    """A predictor for each class."""
    return lambda problem: (SoftmaxObjective(problem.X, problem.y, len(np.unique(problem.y)), l2=l2),)


def against_rest(loss: Loss, l2: float) -> Objectives:
    """For each class a predictor, against the rest; for two classes, the second against the first."""

    def objectives(problem: Problem) -> tuple[Objective, ...]:
        classes = np.unique(problem.y)
        signs = (np.where(problem.y == label, 1, -1) for label in (classes[1:] if len(classes) == 2 else classes))
        return tuple(LinearObjective(problem.X, sign, loss, l2=l2) for sign in signs)

    return objectives


def rows(
    family: str,
    work: str,
    sources: Mapping[str, Source],
    objectives: Objectives,
    ours: Model,
    peers: tuple[Model, ...],
) -> tuple[Row, ...]:
    """For each source of data, by its name, a row for `fit` and one for `predict`."""
    found: list[Row] = []
    for name, source in sources.items():
        found.append(fit_row(family, f"{name}-fit", work, source, objectives, (ours, *peers)))
        found.append(
            predict_row(family, f"{name}-predict", work, source, ours, peers, partial(_with_coefficients_of, ours))
        )
    return tuple(found)


def direct_rows(
    family: str, work: str, sources: Mapping[str, Source], ours: Model, peers: tuple[Model, ...]
) -> tuple[Row, ...]:
    """The same for models without a tolerance to find: the coefficients are compared."""
    found: list[Row] = []
    for name, source in sources.items():
        sides = [fit_side(model, _coefficients) for model in (ours, *peers)]
        found.append(Row(family, f"{name}-fit", work, "fit", source, _size, sides[0], tuple(sides[1:])))
        found.append(predict_row(family, f"{name}-predict", work, source, ours, peers, _fitted))
    return tuple(found)


def fit_row(
    family: str, name: str, work: str, source: Source, objectives: Objectives, models: tuple[Model, ...]
) -> Row:
    """A row for `fit` alone, ours first."""
    sides = tuple(map(_fit_side, models))
    setup = partial(_fitting, source, objectives)
    return Row(family, name, work, "fit", setup, lambda fitting: fitting.problem.size, sides[0], sides[1:])


def predict_row(
    family: str,
    name: str,
    work: str,
    source: Source,
    ours: Model,
    peers: tuple[Model, ...],
    prepared: Callable[[Model, Problem], Model],
) -> Row:
    """A row for `predict` alone. Solvers of one class predict alike: the first of them takes part.

    prepared : of a model and examples to learn from, the fitted model.
    """
    labels = is_classifier(ours)
    fitting = [each for each in peers if not (labels and hasattr(each, "no_labels"))]
    kinds = {(type(each), package(each)): each for each in reversed(fitting)}
    sides = [_predict_side(model, prepared) for model in (ours, *reversed(kinds.values()))]
    return Row(family, name, work, "predict", source, _size, sides[0], tuple(sides[1:]))


def _size(problem: Problem) -> str:
    return problem.size


def _coefficients(model: Model, _: Problem) -> tuple:
    return np.ravel(model.coef_), np.ravel(model.intercept_)


def _fitting(source: Source, objectives: Objectives, rows: int) -> Fitting:
    problem = source(rows)
    parts = objectives(problem)
    return Fitting(problem, parts, in_child(lambda: sum(map(_minimum, parts))))


def _minimum(objective: Objective) -> float:
    """By the method with the most digits."""
    if is_piecewise_parabolic(objective):
        return float(finite_newton(objective, tolerance=1e-12).value)
    if objective.n_parameters <= SOLVED and not sparse.issparse(objective.X):
        return float(newton(objective, tolerance=1e-20).value)
    return float(newton_cg(objective, tolerance=1e-11).value)


def _fit(model: Model, tolerance: float, problem: Problem) -> Model:
    name = next(name for name in ("tol", "gradient_tol") if name in model.get_params())
    return quietly(lambda: clone(model).set_params(**{name: tolerance}).fit(problem.X, problem.y))


def _loosest(model: Model, fitting: Fitting, seconds: float) -> float:
    for tolerance in TOLERANCES:
        start = perf_counter()
        fitted = _fit(model, tolerance, fitting.problem)
        if perf_counter() - start > seconds:
            raise TimeoutError
        gap = fitting.gap(fitted)
        if gap <= GAP:
            return float(tolerance)
    raise NotNearError(f"comes only within {gap:.0e} of the minimum")


def _fit_side(model: Model) -> Side:
    return Side(
        title(model),
        prepare=lambda fitting, tolerance: (fitting, tolerance),
        run=lambda state: _fit(model, state[1], state[0].problem),
        answer=lambda state, fitted: (np.array([state[0].gap(fitted)]),),
        tolerance=partial(_loosest, model),
        package=package(model),
    )


def _predict_side(model: Model, prepared: Callable[[Model, Problem], Model]) -> Side:
    return Side(
        title(model),
        prepare=lambda problem: (prepared(model, _some(problem)), problem),
        run=lambda state: state[0].predict(state[1].X_new),
        answer=lambda state, predicted: (np.asarray(predicted, dtype=np.float64),),
        package=package(model),
    )


def _fitted(model: Model, problem: Problem) -> Model:
    return quietly(lambda: clone(model).fit(problem.X, problem.y))


def _with_coefficients_of(ours: Model, model: Model, problem: Problem) -> Model:
    """A model that was fitted by iteration has our coefficients in place of its own."""
    teacher, fitted = _fitted(ours, problem), _fitted(model, problem)
    fitted.coef_ = np.reshape(teacher.coef_, np.shape(fitted.coef_))
    fitted.intercept_ = np.reshape(teacher.intercept_, np.shape(fitted.intercept_))
    return fitted


def _some(problem: Problem) -> Problem:
    """As many examples as are enough to learn from."""
    return replace(problem, X=problem.X[:ENOUGH], y=_all_classes(problem.y, ENOUGH))


def _all_classes(y: NDArray[Any], m: int) -> NDArray[Any]:
    """The first m labels, in which all labels occur, if there are few."""
    first = y[:m].copy()
    labels = np.unique(y)
    if len(labels) <= m // 10:
        first[: len(labels)] = labels
    return first
