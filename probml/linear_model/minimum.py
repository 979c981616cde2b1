"""The way to the minimum of a linear model: scale, solve, diagnose, repair, report (`minimise`).

Scale: columns of X, weights and penalty in ordinary units, so that squares neither overflow nor vanish (`Task`).
Solve: by the solver that the model was told, or that suits the size (`probml.linear_model.solving`).
Diagnose: is the Hessian singular (`smallest_pivot`), the gap larger than the tolerance (`far_off`), a predictor on its
way to infinity (`in_doubt`)? Repair: columns that are combinations of others are left out, and those that nearly are
made orthogonal; where a likelihood has no maximum, SeparationError (`repaired`).
Report: θ in the units of X, and a warning where the minimum was not reached.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.linalg.lapack import dpotrf
from sklearn.exceptions import ConvergenceWarning

from probml.errors import RankWarning
from probml.linear_model.design import BetterColumns, Rank, dense, rank_of, rescale, with_ordinary_penalty
from probml.linear_model.rows import Rows, in_ordinary_unit
from probml.linear_model.separation import Separation
from probml.linear_model.solving import LARGEST_TO_SOLVE, Method, ModelObjective, chosen, unless_worse
from probml.objectives import Objective
from probml.objectives.gap import bounded_by_hessian
from probml.solvers import Solution, newton
from probml.solvers.line_search import magnitude
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Matrix

NEARLY_SINGULAR = 1e-11  # what other columns leave of a column's square
ILL_CONDITIONED = 1e-8  # the same, where gradients and Hessians have lost half of their digits
FAR_OFF_GAP = 1e-6  # of F: a larger one is beyond any tolerance, unless that is as loose
SMALL = 2**16  # numbers in X and X^T X, up to which one thread for all of the way saves asking for it at every step
LARGE_PREDICTOR = 15.0  # probabilities are then within 3e-7 of 0 or 1
Problem: TypeAlias = Callable[..., ModelObjective]  # of X, l2= and weight=
AnyBoundary: TypeAlias = Any  # a Boundary, or what takes its place where examples are not in memory
Recast: TypeAlias = tuple[Objective, BetterColumns]  # the objective of other columns, and what these are


class Minimum(NamedTuple):
    """What a model keeps: W, shape (V, n), b, shape (V,), and the solution with θ = (w, b) for each of V predictors."""

    coef: Array
    intercept: Array
    solution: Solution


class Boundary(NamedTuple):
    """Where a likelihood can want infinite predictors.

    reach : from predictors, shape (m, V), to the largest of them in the direction that makes its y more likely.
    separation : from X to what is separated (`probml.linear_model.separation`).
    """

    reach: Callable[[Array], float]
    separation: Callable[[Matrix], Separation]

    def reach_at(self, objective: ModelObjective, theta: Array) -> float:
        """`reach` of the predictors that an objective has at θ."""
        n = objective.n_features
        rows = theta.reshape(-1, n + objective.intercept)
        return self.reach(objective.X @ rows[:, :n].T + rows[:, n:].sum(axis=1))


@dataclass(frozen=True)
class Task(ABC):
    """The problem in ordinary units: with v = w · scale in place of w, and F / unit in place of F.

    All scales are powers of two, so that nothing is rounded. dense : whether X is; a sparse one is not centred.
    """

    l2: float
    intercept: bool
    scale: Array
    unit: float
    dense: bool

    @abstractmethod
    def objective(self) -> Objective:
        """F of the columns of the model over `scale`."""

    @abstractmethod
    def centred(self) -> Recast:
        """F of columns with the mean 0, for a dense X and a model with an intercept."""

    @abstractmethod
    def orthogonal(self, kept: Indices) -> Recast:
        """F of orthogonal columns in place of these, which are independent."""

    @abstractmethod
    def rank(self) -> Rank:
        """The rank of the columns."""

    @abstractmethod
    def refuse_separation(self, boundary: AnyBoundary, kept: Indices | None = None) -> None:
        """SeparationError if a linear predictor of these columns, or of all, separates rows."""

    @property
    def columns(self) -> Array:
        """The scale of θ: that of the columns, and 1 for the intercept, if there is one."""
        return np.concatenate([self.scale, np.ones(int(self.intercept))])

    def rows_of(self, theta: Array) -> Array:
        """θ as rows (w, b), or w, shape (V, n + 1) or (V, n)."""
        return theta.reshape(-1, len(self.scale) + self.intercept)


@dataclass(frozen=True)
class TaskInMemory(Task):
    """X : the columns of the model over `scale`, shape (m, n). weight : of the rows, shape (m,)."""

    problem: Problem
    X: Matrix
    weight: Array | None

    @classmethod
    def of(cls, rows: Rows, problem: Problem, l2: float, intercept: bool, weights_as_given: bool) -> "TaskInMemory":
        """The task of these rows. weights_as_given : whether a step size was told, which is one for these weights."""
        (X, scale, l2), is_dense = rescale(rows.X, l2), isinstance(rows.X, np.ndarray)
        if weights_as_given:
            return cls(l2, intercept, scale, 1.0, is_dense, problem, X, rows.weight)
        weight, l2, unit = in_ordinary_unit(rows.weight, l2)
        X, scale, l2 = with_ordinary_penalty(X, scale, l2)
        return cls(l2, intercept, scale, unit, is_dense, problem, X, weight)

    def objective(self) -> ModelObjective:
        """F of the columns of X."""
        return self.problem(self.X, l2=self.l2, weight=self.weight)

    def centred(self) -> Recast:
        """Of the same length."""
        return self._in(BetterColumns.centred(dense(self.X)))

    def orthogonal(self, kept: Indices) -> Recast:
        """Columns by a QR factorisation of these."""
        return self._in(BetterColumns.orthogonal(self.X[:, kept], self.intercept))

    def rank(self) -> Rank:
        """The rank of X."""
        return rank_of(self.X, self.intercept)

    def refuse_separation(self, boundary: Boundary, kept: Indices | None = None) -> None:
        """By linear programming."""
        X = self.X if kept is None else self.X[:, kept]
        boundary.separation(X).raise_if_any(len(self.scale))

    def _in(self, columns: BetterColumns) -> Recast:
        return self.problem(columns.Z, l2=self.l2, weight=self.weight), columns


class Found(NamedTuple):
    """What a solver found: the objective that it saw, its solution, and θ for the columns of the task, (V, n + 1)."""

    objective: Objective
    solution: Solution
    theta: Array

    def solved(self) -> bool:
        """Whether the tolerance was met, or the gap is proved to be no more than rounding."""
        certificate = self.solution.certificate
        rounding = 1e-14 * magnitude(self.solution.value, self.objective.unit)
        return certificate.converged or certificate.gap <= rounding

    def far_off(self, tolerance: float | None) -> bool:
        """Whether the tolerance was met, but the gap is larger than that: a gradient is small in other units than F.

        A gap without a bound counts as large where near a minimum there would be one, unless the tolerance is loose.
        """
        gap = self.solution.certificate.gap
        near = max(FAR_OFF_GAP, tolerance or 0.0) * max(self.objective.unit, abs(self.solution.value))
        expected = bounded_by_hessian(self.objective) and (tolerance is None or tolerance <= FAR_OFF_GAP)
        return self.solution.certificate.converged and gap > near and (expected or gap < np.inf)

    def in_doubt(self, boundary: AnyBoundary, tolerance: float | None) -> bool:
        """Whether F may have no minimum, for a regular Hessian.

        A bound on the gap proves that there is one: the objective goes up again in all directions. Where there is no
        bound a solver may have stopped early, and Newton's method goes on from there.
        """
        objective, solution, _ = self
        if np.isfinite(solution.certificate.gap):
            return False
        if not bounded_by_hessian(objective):  # near a minimum there need not be one
            reach = boundary.reach_at(objective, solution.theta)
            # A solver that stops at the tolerance ε has let the predictors of separated rows go to about -log ε.
            large = LARGE_PREDICTOR if tolerance is None else min(LARGE_PREDICTOR, -np.log(tolerance) - 3)
            if reach <= large and self.solved():
                return False
        if objective.n_parameters > LARGEST_TO_SOLVE:
            return True
        further = newton(objective, solution.theta, tolerance=1e-14, max_iterations=20)
        return not np.isfinite(further.certificate.gap) or smallest_pivot(objective, further.theta) < NEARLY_SINGULAR


def minimise(task: Task, method: Method, start: Array | None, boundary: AnyBoundary, solver: str) -> Minimum:
    """The minimum of the objective F of the task, sum_i s_i l(y_i, z_i) + l2/2 |w|² in units of its own, and its θ.

    start : θ in the units of the model, shape (V, n + 1) or (V, n). solver : what the model calls the method.
    """
    objective = task.objective()
    if start is not None:
        start = (task.rows_of(start.ravel()) * task.columns).ravel()
        start = unless_worse(objective, start) if method.warm_start else start
    m, n = objective.n_examples, objective.n_features
    with one_blas_thread() if (m + n) * n <= SMALL else nullcontext():
        solution = method.solve(objective, start)
        found = Found(objective, solution, task.rows_of(solution.theta))
        rank = None
        if not method.one_pass:
            found, rank = repaired(found, task, method, start, boundary)
    minimum = reported(found, task)
    if rank is not None:
        warn_of_rank(rank, stacklevel=6)
    far = not method.one_pass and found.far_off(method.tol)
    if far or not found.solved():
        warn_not_solved(minimum.solution, chosen(solver, found.objective), far)
    return minimum


def repaired(
    found: Found, task: Task, method: Method, start: Array | None, boundary: AnyBoundary
) -> tuple[Found, Rank | None]:
    """What was found, or, where the columns of X were in the way, what is found in better ones.

    Also the rank of X, if it is deficient: θ is then the shortest of all equal solutions.
    """
    tolerance, p = method.tol, len(task.columns)
    far = found.far_off(tolerance)
    if task.l2 > 0:
        if not (task.intercept and task.dense):
            return found, None
        if far or (not found.solved() and smallest_pivot(found.objective, found.solution.theta) < ILL_CONDITIONED):
            found = in_columns(task.centred(), np.arange(p), task, method, start)
        return found, None
    # Dependent columns make the Hessian singular as well as separation does: they are left out first.
    pivot = smallest_pivot(found.objective, found.solution.theta)
    singular = pivot < NEARLY_SINGULAR
    if boundary is not None and not singular and found.in_doubt(boundary, tolerance):
        task.refuse_separation(boundary)
    if pivot >= ILL_CONDITIONED and not far:
        return found, None
    found, rank = in_orthogonal_columns(task, method, start)
    if boundary is not None and singular:
        still = smallest_pivot(found.objective, found.solution.theta) < NEARLY_SINGULAR
        if still or found.in_doubt(boundary, tolerance):
            task.refuse_separation(boundary, rank.kept)
    return found, rank if rank.deficient else None


def in_orthogonal_columns(task: Task, method: Method, start: Array | None) -> tuple[Found, Rank]:
    """What is found in orthogonal columns in place of independent ones, and the rank; θ is the shortest of its kind."""
    n, rank = len(task.scale), task.rank()
    kept = np.append(rank.kept, np.arange(n, len(task.columns)))
    found = in_columns(task.orthogonal(rank.kept), kept, task, method, start)
    return found._replace(theta=rank.shortest(found.theta, task.scale)) if rank.deficient else found, rank


def in_columns(recast: Recast, kept: Indices, task: Task, method: Method, start: Array | None) -> Found:
    """What is found with these columns for those of the task; kept : the entries of (w, b) that are not 0."""
    objective, columns = recast
    theta = np.zeros((objective.n_vectors, len(task.columns)))
    begin = None if start is None else columns.to(task.rows_of(start)[:, kept]).ravel()
    solution = method.solve(objective, begin)
    theta[:, kept] = columns.back(solution.theta.reshape(len(theta), len(kept)))
    return Found(objective, solution, theta)


def smallest_pivot(objective: Objective, theta: Array) -> float:
    """What the columns before it leave of a column of the Hessian, scaled to a diagonal of ones: the least of all.

    1 is as good as orthogonal, 0 is singular; a large Hessian is not formed, and counts as 1.
    """
    if objective.n_parameters > LARGEST_TO_SOLVE:
        return 1.0
    hessian = objective.hessian_below(theta)
    root = np.sqrt(np.diagonal(hessian))
    if not (np.isfinite(hessian).all() and (root > 0).all()):
        return 0.0
    R, failed = dpotrf(hessian / root / root[:, None])
    return 0.0 if failed else float(R.diagonal().min(initial=1.0) ** 2)


def reported(found: Found, task: Task) -> Minimum:
    """What was found, in the units of the model: w = v / scale, and unit · F."""
    solution, unit, n = found.solution, task.unit, len(task.scale)
    if unit != 1:
        value, certificate = solution.value * unit, replace(solution.certificate, gap=solution.certificate.gap * unit)
        if not np.isfinite(value):
            raise ValueError("the objective is more than a floating-point number can hold: rescale sample_weight")
        steps = (replace(at, value=at.value * unit, gradient_norm=at.gradient_norm * unit) for at in solution.trace)
        solution = Solution(solution.theta, value, tuple(steps), certificate)
    with np.errstate(over="ignore"):
        theta = found.theta / task.columns
    if not np.isfinite(theta).all():
        raise ValueError("the coefficients are more than a floating-point number can hold: rescale X")
    b = theta[:, n] if task.intercept else np.zeros(len(theta))
    return Minimum(theta[:, :n], b, replace(solution, theta=theta.ravel()))


def warn_of_rank(rank: Rank, stacklevel: int) -> None:
    """RankWarning that says what was found and done."""
    warnings.warn(
        f"the design matrix has rank {rank.rank}, but {rank.columns} columns (with that of the intercept, if any): "
        "some are combinations of others. Of all equal solutions the one with the smallest |w| was taken; leave out "
        "columns, or use l2 > 0.",
        RankWarning,
        stacklevel=stacklevel,
    )


def warn_not_solved(solution: Solution, solver: str, far_off: bool) -> None:
    """ConvergenceWarning with the certificate."""
    certificate, last = solution.certificate, solution.trace[-1]
    reason = f"{certificate.reason}, but this is far from the minimum" if far_off else certificate.reason
    gap = f"at most {certificate.gap:.3g}" if np.isfinite(certificate.gap) else "not known (no bound)"
    warnings.warn(
        f"solver {solver!r} did not converge: {reason}. After {solution.iterations} iterations the gap to "
        f"the minimum is {gap}, and the largest entry of the gradient {last.gradient_norm:.3g}. Raise max_iter, "
        "scale the columns of X, use l2 > 0, or another solver.",
        ConvergenceWarning,
        stacklevel=6,
    )
