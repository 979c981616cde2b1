"""Solvers by their names, which of them suits a problem, and with which options they are called."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, TypeAlias

import numpy as np

from probml import solvers
from probml.inputs import is_number, is_whole
from probml.objectives import LinearObjective, Objective, SoftmaxObjective
from probml.objectives.chunked import ChunkedObjective
from probml.solvers import Certificate, Solution
from probml.solvers.base import Solver
from probml.solvers.finite_newton import is_piecewise_parabolic
from probml.typing import Array, Matrix, RandomState

ModelObjective: TypeAlias = LinearObjective | SoftmaxObjective
SOLVERS: dict[str, Solver] = {
    "newton": solvers.newton,
    "growing-newton": solvers.growing_newton,
    "irls": solvers.irls,
    "newton-cg": solvers.newton_cg,
    "finite-newton": solvers.finite_newton,
    "fixed-hessian": solvers.fixed_hessian,
    "coordinate-newton": solvers.coordinate_newton,
    "bfgs": solvers.bfgs,
    "lbfgs": solvers.lbfgs,
    "conjugate-gradient": solvers.conjugate_gradient,
    "gradient-descent": solvers.gradient_descent,
    "sgd": solvers.sgd,
}
ONE_PREDICTOR = ("irls", "coordinate-newton", "growing-newton", "finite-newton")
BY_SUMS = ("newton", "newton-cg", "fixed-hessian", "bfgs", "lbfgs", "conjugate-gradient", "gradient-descent")
# Squares of a distance from the minimum, in standard errors: for Newton's method relative to F, since its last step
# squares the error once more.
TOLERANCES = {"newton": 1e-20, "growing-newton": 1e-22}
PRODUCTS_TOLERANCE = 1e-14  # of the first gradient, where products with the Hessian replace it: as many digits
LARGEST_TO_SOLVE = 1000  # parameters above which no Hessian is formed to solve or to look at its pivots
LARGEST_CONDITION = 1e7  # of a Hessian, up to which a gradient that small means as many digits of the minimum
ROWS_PER_PARAMETER = 200  # from which on subsets of the rows are worth while


@dataclass(frozen=True)
class Method:
    """How a model looks for the minimum: a solver, and its options. For tol and max_iter None is the solver's own.

    warm_start : whether the start may be next to the minimum. A tolerance relative to the first gradient is then what
        it would be for a start at 0; relative to a gradient that is next to nothing, no solver could meet it.
    one_pass : whether one pass over the examples is all that is asked for, however far it leads.
    """

    solver: str
    options: Mapping[str, object] | None
    tol: float | None
    max_iter: int | None
    random_state: RandomState
    warm_start: bool
    one_pass: bool = False

    def solve(self, objective: Objective, start: Array | None) -> Solution:
        """θ, shape (p,), of the least F(θ), the sum of losses and penalty that the objective is. start : θ, or None."""
        self._check()
        solver, options = chosen(self.solver, objective), dict(self.options or {})
        if solver not in SOLVERS:
            raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}; received {solver!r}")
        if isinstance(objective, ChunkedObjective) and solver not in BY_SUMS:
            raise ValueError(
                f"solver {solver!r} needs the examples in memory; in chunks there are {', '.join(BY_SUMS)}, and auto"
            )
        if solver in ONE_PREDICTOR and not isinstance(objective, LinearObjective):
            raise ValueError(f"solver {solver!r} is for models with one predictor; use newton, newton-cg or lbfgs")
        arguments: dict[str, Any] = dict(options)  # whatever the solver takes
        if self.tol is not None:
            arguments["tolerance"] = self.tol
        elif solver in TOLERANCES:
            arguments.setdefault("tolerance", TOLERANCES[solver])
        elif self.solver == "auto" and solver == "newton-cg" and objective.n_parameters <= LARGEST_TO_SOLVE:
            arguments["tolerance"] = PRODUCTS_TOLERANCE
        if self.solver == "auto" and solver == "newton-cg":
            arguments["preconditioned"] = True
        if self.one_pass or self.max_iter is not None:
            arguments["max_iterations"] = 1 if self.one_pass else self.max_iter
        if self.warm_start and start is not None and solver not in TOLERANCES:  # those have tolerances of F
            own = arguments.get("tolerance", signature(SOLVERS[solver]).parameters["tolerance"].default)
            cold = first_gradient(objective, objective.start()) / first_gradient(objective, start)
            arguments["tolerance"] = own * (cold if np.isfinite(cold) else 1.0)
        chance = {"seed": self.random_state} if solver == "sgd" else {}
        if solver == "sgd" and "step_size" not in arguments:
            arguments["step_size"] = stable_step(objective)
        try:
            solution = SOLVERS[solver](objective, start, **arguments, **chance)
        except TypeError as error:
            if "keyword argument" not in str(error):
                raise
            raise ValueError(f"solver_options={options!r} do not fit solver {solver!r}: {error}") from error
        if not self.one_pass:
            return solution
        return replace(solution, certificate=Certificate(True, solution.certificate.gap, "one pass over the examples"))

    def _check(self) -> None:
        if not (self.tol is None or (is_number(self.tol) and 0 < self.tol < np.inf)):
            raise ValueError(f"tol must be a number above 0, or None; received {self.tol!r}")
        whole = is_whole(self.max_iter) and not isinstance(self.max_iter, bool)
        if not (self.max_iter is None or (whole and self.max_iter >= 0)):
            raise ValueError(f"max_iter must be a whole number of at least 0, or None; received {self.max_iter!r}")
        if self.solver == "auto" and self.options:
            raise ValueError(f"solver_options={dict(self.options)!r} belong to one solver: name it, instead of 'auto'")


def unless_worse(objective: Objective, start: Array) -> Array | None:
    """A warm start; None if the objective is lower where a cold one begins, as it may be for data of another scale."""
    with np.errstate(all="ignore"):
        warm, cold = objective.value(start), objective.value(objective.start())
    return None if np.isfinite(cold) and not warm <= cold else start


def first_gradient(objective: Objective, theta: Array) -> float:
    """What a tolerance is multiplied by: the largest entry of the gradient at the start, or one example's unit."""
    with np.errstate(all="ignore"):  # 0 may give no mean
        return float(np.maximum(objective.unit, np.abs(objective.value_and_gradient(theta)[1]).max(initial=0.0)))


def chosen(solver: str, objective: Objective) -> str:
    """What "auto" stands for: Newton's method; without its Hessian, if that costs more; on subsets of many rows.

    A large problem of the squared hinge goes to the solver that knows its parabolas. Of examples in chunks, where each
    product with the Hessian is a pass, the Hessian is formed as long as it is not too large.
    """
    if solver != "auto":
        return solver
    if isinstance(objective, ChunkedObjective):
        return "newton" if objective.n_parameters <= LARGEST_TO_SOLVE else "newton-cg"
    if objective.n_parameters > LARGEST_TO_SOLVE:
        return "finite-newton" if is_piecewise_parabolic(objective) else "newton-cg"
    if products_are_cheaper(objective) and condition_bound(objective) <= LARGEST_CONDITION:
        return "newton-cg"
    many = objective.n_examples >= ROWS_PER_PARAMETER * objective.n_parameters
    return "growing-newton" if many and isinstance(objective, LinearObjective) else "newton"


def products_are_cheaper(objective: Objective) -> bool:
    """Whether Newton's method costs less with products than with the Hessian itself, of p parameters and m examples.

    With it, eight Hessians take 8 m p² operations, and factors and eigenvalues 13 p³ more. A hundred products, which
    are seldom exceeded, take 400 m p. Those with one vector wait for memory, and so count five times.
    """
    p, waiting = objective.n_parameters, 5 if objective.n_vectors == 1 else 1
    return 400 * waiting * objective.entries < p**2 * (8 * objective.n_examples + 13 * p)


def condition_bound(objective: Objective) -> float:
    """1 + c |X|² / l2, with c the largest curvature of the loss: no Hessian has a larger condition number.

    It is how many times its share a gradient that is not quite 0 can leave of θ. inf where the curvature jumps.
    """
    loss = objective.loss if isinstance(objective, LinearObjective) else None
    curvature = 0.5 if loss is None else loss.curvature_bound if loss.self_concordance < np.inf else np.inf
    if not (objective.l2 and curvature < np.inf):
        return np.inf
    squares = row_squares(objective.X)
    total = float(squares.sum() if objective.weight is None else objective.weight @ squares)
    return 1 + curvature * total / objective.l2


def stable_step(objective: Objective) -> float:
    """1 / max_i (c s_i |x_i|² + l2 / m), with c the largest curvature of the loss.

    No longer than one over the curvature of any example with its share of the penalty: no step overshoots.
    """
    bound = objective.loss.curvature_bound if isinstance(objective, LinearObjective) else 0.5
    if not np.isfinite(bound):
        raise ValueError('solver "sgd" needs solver_options={"step_size": ...}: this loss has no largest curvature')
    squares = row_squares(objective.X) + objective.intercept
    weighted = squares if objective.weight is None else squares * objective.weight
    return float(1 / max(bound * float(weighted.max()) + objective.l2 / objective.n_examples, 1e-300))


def row_squares(X: Matrix) -> Array:
    """|x_i|², shape (m,)."""
    if isinstance(X, np.ndarray):
        squares: Array = np.einsum("ij,ij->i", X, X)
    else:
        squares = X.multiply(X).sum(axis=1)
    return squares
