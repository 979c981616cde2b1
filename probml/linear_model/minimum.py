"""The way to the minimum of a linear model: scale, solve, diagnose, repair, report.

Scale: columns of X, weights and penalty in ordinary units, so that squares neither overflow nor vanish (`Task`).
Solve: by the solver that the model was told, or that suits the size (`probml.linear_model.solving`).
Diagnose: is the Hessian singular, the gap larger than the tolerance, a predictor on its way to infinity
(`probml.linear_model.diagnosis`)? Repair: columns that are combinations of others are left out, and those that nearly
are made orthogonal; where a likelihood has no maximum, SeparationError (`repaired`).
Report: θ in the units of X, and a warning where the minimum was not reached (`LinearModel._minimise`).
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from probml.errors import RankWarning
from probml.linear_model.design import OrthogonalColumns, Rank, rank_of, rescale, with_ordinary_penalty
from probml.linear_model.diagnosis import (
    ILL_CONDITIONED,
    NEARLY_SINGULAR,
    Boundary,
    far_off,
    in_doubt,
    misled,
    smallest_pivot,
)
from probml.linear_model.rows import Rows
from probml.linear_model.solving import Method, ModelObjective
from probml.linear_model.weights import in_ordinary_unit
from probml.solvers import Solution
from probml.typing import Array, Matrix

Problem: TypeAlias = Callable[[Matrix, float, Array | None], ModelObjective]  # of X, l2 and weights


class Minimum(NamedTuple):
    """What a model keeps: W, shape (V, n), b, shape (V,), and the solution with θ = (w, b) for each of V predictors."""

    coef: Array
    intercept: Array
    solution: Solution


class Found(NamedTuple):
    """What a solver found: the objective that it saw, its solution, and θ for the columns of the task, (V, n + 1)."""

    objective: ModelObjective
    solution: Solution
    theta: Array


@dataclass(frozen=True)
class Task:
    """The problem in ordinary units: with v = w · scale in place of w, and F / unit in place of F.

    X : the columns of the model over `scale`, shape (m, n). All scales are powers of two, so that nothing is rounded.
    """

    problem: Problem
    X: Matrix
    weight: Array | None
    l2: float
    intercept: bool
    scale: Array
    unit: float

    @classmethod
    def of(cls, rows: Rows, problem: Problem, l2: float, intercept: bool, weights_as_given: bool) -> "Task":
        """The task of these rows. weights_as_given : whether a step size was told, which is one for these weights."""
        X, scale, l2 = rescale(rows.X, l2)
        if weights_as_given:
            return cls(problem, X, rows.weight, l2, intercept, scale, 1.0)
        weight, l2, unit = in_ordinary_unit(rows.weight, l2)
        X, scale, l2 = with_ordinary_penalty(X, scale, l2)
        return cls(problem, X, weight, l2, intercept, scale, unit)

    @property
    def columns(self) -> Array:
        """The scale of θ: that of the columns, and 1 for the intercept, if there is one."""
        return np.concatenate([self.scale, np.ones(int(self.intercept))])

    def objective(self, X: Matrix) -> ModelObjective:
        """The objective of these columns in place of those of the task."""
        return self.problem(X, self.l2, self.weight)

    def found(self, objective: ModelObjective, solution: Solution) -> Found:
        """What was found in the columns of the task themselves."""
        return Found(objective, solution, self.rows_of(solution.theta))

    def rows_of(self, theta: Array) -> Array:
        """θ as rows (w, b), or w, shape (V, n + 1) or (V, n); no rows without columns."""
        p = len(self.columns)
        return theta.reshape(len(theta) // max(1, p), -1)

    def unscaled(self, theta: Array) -> Array:
        """θ in the units of the model's columns."""
        with np.errstate(over="ignore"):
            theta = theta / self.columns
        if not np.isfinite(theta).all():
            raise ValueError("the coefficients are more than a floating-point number can hold: rescale X")
        return theta


def repaired(
    found: Found, task: Task, method: Method, start: Array | None, boundary: Boundary | None
) -> tuple[Found, Rank | None]:
    """What was found, or, where the columns of X were in the way, what is found in better ones.

    Also the rank of X, if it is deficient: θ is then the shortest of all equal solutions.
    """
    if task.l2 == 0:
        return _without_penalty(found, task, method, start, boundary)
    if task.intercept and isinstance(task.X, np.ndarray) and misled(found.objective, found.solution, method.tolerance):
        return _in_centred_columns(task.X, task, method, start), None
    return found, None


def _without_penalty(
    found: Found, task: Task, method: Method, start: Array | None, boundary: Boundary | None
) -> tuple[Found, Rank | None]:
    """Dependent columns make the Hessian singular as well as separation does: they are left out first."""
    pivot, n = smallest_pivot(found.objective, found.solution.theta), task.X.shape[1]
    singular = pivot < NEARLY_SINGULAR
    if boundary is not None and not singular and in_doubt(found.objective, found.solution, boundary, method.tolerance):
        boundary.separation(task.X).raise_if_any(n)
    if not (pivot < ILL_CONDITIONED or far_off(found.objective, found.solution, method.tolerance)):
        return found, None
    rank = rank_of(task.X, task.intercept)
    found = _in_orthogonal_columns(rank, task, method, start, len(found.theta))
    if boundary is not None and singular:
        objective, solution, _ = found
        still = smallest_pivot(objective, solution.theta) < NEARLY_SINGULAR
        if still or in_doubt(objective, solution, boundary, method.tolerance):
            boundary.separation(task.X[:, rank.kept]).raise_if_any(n)
    if not rank.deficient:
        return found, None
    return found._replace(theta=shortest(found.theta, rank, task.scale)), rank


def _in_orthogonal_columns(rank: Rank, task: Task, method: Method, start: Array | None, vectors: int) -> Found:
    """By orthogonal columns of the same space; θ is 0 for columns that are combinations of others."""
    n, p = task.X.shape[1], len(task.columns)
    columns = OrthogonalColumns.of(task.X[:, rank.kept], task.intercept)
    kept = np.concatenate([rank.kept, np.arange(n, p)])
    objective = task.objective(columns.Z)
    begin = None if start is None else columns.to(task.rows_of(start)[:, kept]).ravel()
    solution = method.solve(objective, begin)
    theta = np.zeros((vectors, p))
    theta[:, kept] = columns.back(solution.theta.reshape(vectors, len(kept)))
    return Found(objective, solution, theta)


def _in_centred_columns(X: Array, task: Task, method: Method, start: Array | None) -> Found:
    """By centred columns: the penalty does not see the centre."""
    centre, n = X.mean(axis=0), X.shape[1]
    objective = task.objective(X - centre)
    if start is not None:
        rows = start.reshape(-1, n + 1).copy()
        rows[:, n] += rows[:, :n] @ centre
        start = rows.ravel()
    solution = method.solve(objective, start)
    theta = solution.theta.reshape(-1, n + 1).copy()
    theta[:, n] -= theta[:, :n] @ centre
    return Found(objective, solution, theta)


def shortest(theta: Array, rank: Rank, scale: Array) -> Array:
    """θ of scaled columns, shape (V, n) or (V, n + 1), with the shortest w of those that predict the same.

    It is the shortest in the units of the unscaled columns, w = θ / scale.
    """
    n = len(scale)
    unscaled = replace(rank, null=rank.null / scale[:, None], centre=rank.centre * scale)
    found = [unscaled.shortest(row[:n] / scale, float(row[n:].sum())) for row in theta]
    return np.array([np.concatenate([w * scale, [b][: theta.shape[1] - n]]) for w, b in found])


def warn_of_rank(rank: Rank) -> None:
    """RankWarning that says what was found and done."""
    warnings.warn(
        f"the design matrix has rank {rank.rank}, but {rank.columns} columns (with that of the intercept, if any): "
        "some are combinations of others. Of all equal solutions the one with the smallest |w| was taken; leave out "
        "columns, or use l2 > 0.",
        RankWarning,
        stacklevel=5,
    )
