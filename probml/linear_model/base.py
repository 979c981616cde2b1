"""What all models with a linear predictor share: input, the way to the minimum, and what is checked on the way."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.errors import RankWarning
from probml.inputs import AllOrNothing, examples, parameters, require_flags, training_examples
from probml.linear_model.design import OrthogonalColumns, Rank, rank_of, rescale, with_ordinary_penalty
from probml.linear_model.separation import Separation
from probml.linear_model.solving import (
    ILL_CONDITIONED,
    NEARLY_SINGULAR,
    chosen,
    far_off,
    proved,
    smallest_pivot,
    solve,
    solved,
    unless_worse,
    warn_not_solved,
)
from probml.linear_model.weights import checked_weight, in_ordinary_unit, in_unit
from probml.objectives import Objective
from probml.solvers import Solution
from probml.typing import Array, Matrix, RandomState

Problem = Callable[[Matrix, float, Array | None], Objective]  # of X, l2 and weights
LARGE = 15.0  # predictors this large are looked at: probabilities are then within 3e-7 of 0 or 1


class Rows(NamedTuple):
    """The examples that count: those with a weight above 0."""

    X: Matrix
    y: NDArray
    weight: Array | None
    offset: Array | None


class Boundary(NamedTuple):
    """Where a likelihood can want infinite predictors.

    reach : from predictors, shape (m, V), to the largest that speaks for its y.
    separation : from X to what is separated (`probml.linear_model.separation`).
    """

    reach: Callable[[Array], float]
    separation: Callable[[Matrix], Separation]


@parameters
class LinearModel(AllOrNothing, BaseEstimator):
    """A model of z = x · w + b, fitted by minimising sum_i s_i l(y_i, z_i) + l2/2 |w|². b is not penalised.

    X : dense or CSR, shape (m, n). Columns with magnitudes beyond 2^±20 are scaled by powers of two on the way, and so
    is the objective where the largest weight is beyond; value, trace and certificate of `solution_` are those of the
    objective as it is written here.
    """

    l2: float = 0.0
    fit_intercept: bool = True
    solver: str = "auto"
    solver_options: Mapping[str, object] | None = None
    tol: float | None = None
    max_iter: int | None = None
    random_state: RandomState = 0
    warm_start: bool = False

    def __sklearn_tags__(self) -> Tags:
        """Sparse matrices are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def __getstate__(self) -> dict[str, object]:
        """Without the training data, which only `summary` reads."""
        return {name: value for name, value in super().__getstate__().items() if name != "_training"}

    def _valid(self, X: Matrix) -> Matrix:
        check_is_fitted(self, "coef_")
        return examples(self, X, reset=False, accept_sparse="csr", dtype=np.float64)

    def _rows(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None, offset: Array | None = None) -> Rows:
        if not (isinstance(self.l2, Real) and 0 <= self.l2 < np.inf):
            raise ValueError(f"l2 must be a finite number of at least 0, received {self.l2!r}")
        require_flags(self, "fit_intercept", "warm_start")
        X, y = training_examples(self, X, y, accept_sparse="csr", dtype=np.float64)
        if sample_weight is None:
            return Rows(X, y, None, offset)
        return counted(Rows(X, y, checked_weight(sample_weight, X), offset))

    def _last(self, vectors: int) -> Array | None:
        """With warm_start, the last fit as rows (w, b) or w, shape (V, n + 1) or (V, n), if it had this shape, too."""
        if not (self.warm_start and hasattr(self, "coef_")):
            return None
        coef, intercept = np.atleast_2d(self.coef_).astype(np.float64), np.atleast_1d(self.intercept_)
        return theta_of(coef, intercept, self.fit_intercept) if coef.shape == (vectors, self.n_features_in_) else None

    def _minimise(
        self, rows: Rows, problem: Problem, start: Array | None = None, boundary: Boundary | None = None
    ) -> tuple[Array, Array]:
        """W, shape (V, n), and b, shape (V,), of the objective `problem(X, l2, weight)` with V predictors.

        start : (w, b) or w for each of them, one after the other; None is that of the objective.
        """
        X, weight, unit = rows.X, rows.weight, 1.0
        scaled, scale, l2 = rescale(X, float(self.l2))
        if "step_size" not in (self.solver_options or {}):  # which is one for weights as they are
            weight, l2, unit = in_ordinary_unit(weight, l2)
            scaled, scale, l2 = with_ordinary_penalty(scaled, scale, l2)
        problem = partial(problem, weight=weight)
        columns = np.concatenate([scale, np.ones(int(self.fit_intercept))])
        objective = problem(scaled, l2)
        vectors = objective.n_parameters // max(1, len(columns))
        first = None if start is None else (start.reshape(vectors, -1) * columns).ravel()
        if first is not None and self.warm_start:
            first = unless_worse(objective, first)
        solution = self._solve(objective, first)
        theta = solution.theta.reshape(vectors, -1)
        if l2 == 0:
            pivot, far = smallest_pivot(objective, solution.theta), self._far_off(objective, solution)
            # Dependent columns make the Hessian singular as well as separation does: they are left out first.
            singular = pivot < NEARLY_SINGULAR
            if boundary is not None and not singular and self._in_doubt(objective, solution, boundary, scaled):
                boundary.separation(scaled).raise_if_any(X.shape[1])
            if pivot < ILL_CONDITIONED or far:
                rank = rank_of(scaled, self.fit_intercept)
                objective, solution, theta = self._orthogonalised(scaled, problem, first, rank, vectors)
                if boundary is not None and singular:
                    still = smallest_pivot(objective, solution.theta) < NEARLY_SINGULAR
                    if still or self._in_doubt(objective, solution, boundary, objective.X):
                        boundary.separation(scaled[:, rank.kept]).raise_if_any(X.shape[1])
                if rank.deficient:
                    theta = shortest(theta, rank, scale)
                    warn_of_rank(rank)
        elif self.fit_intercept and not sparse.issparse(X) and self._misled(objective, solution):
            objective, solution, theta = self._centred(scaled, l2, problem, first)
        far, done = self._far_off(objective, solution), solved(solution)
        solution = in_unit(solution, unit)
        if far or not done:
            warn_not_solved(solution, chosen(self.solver, objective), far)
        with np.errstate(over="ignore"):
            theta = theta / columns
        if not np.isfinite(theta).all():
            raise ValueError("the coefficients are more than a floating-point number can hold: rescale X")
        self.solution_: Solution = replace(solution, theta=theta.ravel())
        self.n_iter_ = solution.iterations
        n = len(scale)
        return theta[:, :n], theta[:, n] if self.fit_intercept else np.zeros(vectors)

    def _solve(self, objective: Objective, start: Array | None) -> Solution:
        return self._solve_by(self.solver, objective, start)

    def _solve_by(
        self, solver: str, objective: Objective, start: Array | None, max_iter: int | None = None
    ) -> Solution:
        max_iter = self.max_iter if max_iter is None else max_iter
        return solve(
            objective, solver, self.solver_options, self.tol, max_iter, self.random_state, start, self.warm_start
        )

    def _in_doubt(self, objective: Objective, solution: Solution, boundary: Boundary, X: Matrix) -> bool:
        """Whether there may be no minimum, for a regular Hessian.

        A bound on the gap proves that there is one: the objective goes up again in all directions. Where there is no
        bound a solver may have stopped early, and Newton's method goes on from there.
        """
        if np.isfinite(solution.certificate.gap):
            return False
        vectors = objective.n_parameters // (X.shape[1] + int(self.fit_intercept))
        if objective.bounds_gap:  # near a minimum there would be one
            return not proved(objective, solution)
        reach = boundary.reach(predictors(X, solution.theta.reshape(vectors, -1)))
        # A solver that stops at the tolerance ε has let the predictors of separated rows go to about -log ε.
        far = LARGE if self.tol is None else min(LARGE, -np.log(self.tol) - 3)
        return (reach > far or not solved(solution)) and not proved(objective, solution)

    def _far_off(self, objective: Objective, solution: Solution) -> bool:
        return far_off(objective, solution, self.tol)

    def _misled(self, objective: Objective, solution: Solution) -> bool:
        """Whether the solver is not where it should be, and the columns of X may be why."""
        ill = not solved(solution) and smallest_pivot(objective, solution.theta) < ILL_CONDITIONED
        return ill or self._far_off(objective, solution)

    def _orthogonalised(
        self,
        X: Matrix,
        problem: Callable[[Matrix, float], Objective],
        start: Array | None,
        rank: Rank,
        vectors: int,
    ) -> tuple[Objective, Solution, Array]:
        """Objective and solution in orthogonal columns, and θ, shape (V, n + 1), which is 0 for columns not kept."""
        columns = OrthogonalColumns.of(X[:, rank.kept], self.fit_intercept)
        objective = problem(columns.Z, 0.0)
        width = X.shape[1] + int(self.fit_intercept)
        kept = np.concatenate([rank.kept, np.arange(X.shape[1], width)])
        begin = None if start is None else columns.to(start.reshape(vectors, width)[:, kept]).ravel()
        solution = self._solve(objective, begin)
        theta = np.zeros((vectors, width))
        theta[:, kept] = columns.back(solution.theta.reshape(vectors, len(kept)))
        return objective, solution, theta

    def _centred(
        self, X: Array, l2: float, problem: Callable[[Matrix, float], Objective], start: Array | None
    ) -> tuple[Objective, Solution, Array]:
        """Objective and solution with centred columns, and θ, shape (V, n + 1): the penalty does not see the centre."""
        centre = X.mean(axis=0)
        n = len(centre)
        objective = problem(X - centre, l2)
        if start is not None:
            start = start.reshape(-1, n + 1).copy()
            start[:, n] += start[:, :n] @ centre
            start = start.ravel()
        solution = self._solve(objective, start)
        theta = solution.theta.reshape(-1, n + 1).copy()
        theta[:, n] -= theta[:, :n] @ centre
        return objective, solution, theta


def counted(rows: Rows) -> Rows:
    """The rows with a weight above 0."""
    counts = rows.weight > 0
    return rows if counts.all() else Rows(*(None if part is None else part[counts] for part in rows))


def predictors(X: Matrix, theta: Array) -> Array:
    """z = X w + b for each row (w, b) of theta, or w alone: shape (m, V)."""
    n = X.shape[1]
    return X @ theta[:, :n].T + theta[:, n:].sum(axis=1)


def theta_of(coef: Array, intercept: Array, fit_intercept: bool) -> Array:
    """Rows (w, b), or w alone: shape (V, n + 1) or (V, n), from coef, shape (V, n), and intercept, shape (V,)."""
    return np.column_stack([coef, intercept] if fit_intercept else [coef])  # never coef itself


def finite(z: Array) -> Array:
    """The predictors, if all of them are numbers."""
    if not np.isfinite(z).all():
        raise ValueError("the values of X give predictors that are more than a floating-point number can hold")
    return z


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
