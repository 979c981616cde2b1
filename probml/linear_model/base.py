"""What all models with a linear predictor share: parameters, input, and the way to the minimum."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.inputs import (
    AllOrNothing,
    examples,
    is_number,
    parameters,
    require_flags,
    training_examples,
)
from probml.linear_model.diagnosis import Boundary, far_off, solved, warn_not_solved
from probml.linear_model.minimum import Minimum, Problem, Task, repaired, warn_of_rank
from probml.linear_model.rows import Rows
from probml.linear_model.solving import Method, chosen, unless_worse
from probml.linear_model.weights import checked_weight, in_unit
from probml.typing import Array, Matrix, RandomState


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
        if not (is_number(self.l2) and 0 <= self.l2 < np.inf):
            raise ValueError(f"l2 must be a finite number of at least 0, received {self.l2!r}")
        require_flags(self, "fit_intercept", "warm_start")
        X, y = training_examples(self, X, y, accept_sparse="csr", dtype=np.float64)
        weight = None if sample_weight is None else checked_weight(sample_weight, X)
        return Rows(X, y, weight, offset).counted()

    def _last(self, vectors: int) -> Array | None:
        """With warm_start, the last fit as rows (w, b) or w, shape (V, n + 1) or (V, n), if it had this shape, too."""
        if not (self.warm_start and hasattr(self, "coef_")):
            return None
        coef, intercept = np.atleast_2d(self.coef_).astype(np.float64), np.atleast_1d(self.intercept_)
        return theta_of(coef, intercept, self.fit_intercept) if coef.shape == (vectors, self.n_features_in_) else None

    def _method(self) -> Method:
        return Method(
            self.solver, self.solver_options, self.tol, self.max_iter, self.random_state, bool(self.warm_start)
        )

    def _minimise(
        self, rows: Rows, problem: Problem, start: Array | None = None, boundary: Boundary | None = None
    ) -> Minimum:
        """The minimum of the objective `problem(X, l2, weight)` with V predictors: see `probml.linear_model.minimum`.

        start : (w, b) or w for each of them, one after the other; None is that of the objective.
        """
        weights_as_given = "step_size" in (self.solver_options or {})
        task = Task.of(rows, problem, float(self.l2), bool(self.fit_intercept), weights_as_given)
        method, objective = self._method(), task.objective(task.X)
        if start is not None:
            start = (task.rows_of(start.ravel()) * task.columns).ravel()
            start = unless_worse(objective, start) if self.warm_start else start
        found = task.found(objective, method.solve(objective, start))
        found, rank = repaired(found, task, method, start, boundary)
        if rank is not None:
            warn_of_rank(rank)
        far, solution = far_off(found.objective, found.solution, method.tolerance), in_unit(found.solution, task.unit)
        if far or not solved(found.solution):
            warn_not_solved(solution, chosen(self.solver, found.objective), far)
        theta, n = task.unscaled(found.theta), len(task.scale)
        intercept = theta[:, n] if self.fit_intercept else np.zeros(len(theta))
        return Minimum(theta[:, :n], intercept, replace(solution, theta=theta.ravel()))


def theta_of(coef: Array, intercept: Array, fit_intercept: bool) -> Array:
    """Rows (w, b), or w alone: shape (V, n + 1) or (V, n), from coef, shape (V, n), and intercept, shape (V,)."""
    return np.column_stack([coef, intercept] if fit_intercept else [coef])  # never coef itself
