"""Solvers by their names, and what to say of a solution that is not one."""

import warnings
from collections.abc import Mapping
from dataclasses import astuple
from inspect import signature
from numbers import Integral, Real

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cholesky
from sklearn.exceptions import ConvergenceWarning

from probml.objectives import LinearObjective, Objective, SoftmaxObjective
from probml.solvers import (
    Solution,
    bfgs,
    conjugate_gradient,
    coordinate_newton,
    finite_newton,
    fixed_hessian,
    gradient_descent,
    growing_newton,
    irls,
    lbfgs,
    newton,
    newton_cg,
    sgd,
)
from probml.solvers.finite_newton import is_piecewise_parabolic
from probml.typing import Matrix, RandomState

SOLVERS = {
    "newton": newton,
    "growing-newton": growing_newton,
    "irls": irls,
    "newton-cg": newton_cg,
    "finite-newton": finite_newton,
    "fixed-hessian": fixed_hessian,
    "coordinate-newton": coordinate_newton,
    "bfgs": bfgs,
    "lbfgs": lbfgs,
    "conjugate-gradient": conjugate_gradient,
    "gradient-descent": gradient_descent,
    "sgd": sgd,
}
ONE_PREDICTOR = ("irls", "coordinate-newton", "growing-newton", "finite-newton")
# Squares of a distance from the minimum, in standard errors: for Newton's method relative to F, since its last step
# squares the error once more.
TOLERANCES = {"newton": 1e-20, "growing-newton": 1e-22}
PRODUCTS_TOLERANCE = 1e-14  # of the first gradient, where products with the Hessian replace it: as many digits
LARGEST_HESSIAN = 1000  # parameters above which no Hessian is formed
SMALL_HESSIAN = 100  # parameters up to which it is formed in no time
MANY = 200  # rows for each parameter from which on parts of them are worth while
NEARLY_SINGULAR = 1e-11  # what other columns leave of a column's square
ILL_CONDITIONED = 1e-8  # the same, where gradients and Hessians have lost half of their digits
NEAR = 1e-6  # of F: a gap that no tolerance stands for unless it is asked for


def solve(
    objective: Objective,
    solver: str,
    options: Mapping[str, object] | None,
    tol: float | None,
    max_iter: int | None,
    random_state: RandomState,
    start: np.ndarray | None,
    warm: bool = False,
) -> Solution:
    """The minimum of the objective. For tol and max_iter None stands for what the solver takes if nothing is said.

    warm : whether the start may be next to the minimum. A tolerance relative to the first gradient is then what it
        would be for a start at 0; relative to a gradient that is next to nothing, no solver could meet it.
    """
    if not (tol is None or (isinstance(tol, Real) and 0 < tol < np.inf)):
        raise ValueError(f"tol must be a number above 0, or None; received {tol!r}")
    if not (max_iter is None or (isinstance(max_iter, Integral) and not isinstance(max_iter, bool) and max_iter >= 0)):
        raise ValueError(f"max_iter must be a whole number of at least 0, or None; received {max_iter!r}")
    if solver == "auto" and options:
        raise ValueError(f"solver_options={dict(options)!r} belong to one solver: name it, instead of 'auto'")
    automatic, solver = solver == "auto", chosen(solver, objective)
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}; received {solver!r}")
    if solver in ONE_PREDICTOR and not isinstance(objective, LinearObjective):
        raise ValueError(f"solver {solver!r} is for models with one predictor; use newton, newton-cg or lbfgs")
    arguments = dict(options or {})
    if tol is not None:
        arguments["tolerance"] = tol
    elif solver in TOLERANCES:
        arguments.setdefault("tolerance", TOLERANCES[solver])
    elif automatic and solver == "newton-cg" and objective.n_parameters <= LARGEST_HESSIAN:
        arguments["tolerance"] = PRODUCTS_TOLERANCE
    if max_iter is not None:
        arguments["max_iterations"] = max_iter
    if warm and start is not None and solver not in TOLERANCES:  # those have tolerances of F
        own = signature(SOLVERS[solver]).parameters["tolerance"].default
        cold = first_gradient(objective, objective.start()) / first_gradient(objective, start)
        arguments["tolerance"] = arguments.get("tolerance", own) * (cold if np.isfinite(cold) else 1.0)
    chance = {"seed": random_state} if solver == "sgd" else {}
    if solver == "sgd" and "step_size" not in arguments:
        arguments["step_size"] = stable_step(objective)
    try:
        return SOLVERS[solver](objective, start, **arguments, **chance)
    except TypeError as error:
        if "keyword argument" not in str(error):
            raise
        raise ValueError(f"solver_options={dict(options or {})!r} do not fit solver {solver!r}: {error}") from error


def unless_worse(objective: Objective, start: np.ndarray) -> np.ndarray | None:
    """A warm start; None if the objective is lower where a cold one begins, as it may be for data of another scale."""
    with np.errstate(all="ignore"):
        warm, cold = objective.value(start), objective.value(objective.start())
    return None if np.isfinite(cold) and not warm <= cold else start


def first_gradient(objective: Objective, theta: np.ndarray) -> float:
    """What a tolerance is multiplied by: the largest entry of the gradient at the start, or one example's unit."""
    with np.errstate(all="ignore"):  # 0 may give no mean
        return float(np.maximum(objective.unit, np.abs(objective.value_and_gradient(theta)[1]).max(initial=0.0)))


def chosen(solver: str, objective: Objective) -> str:
    """What "auto" stands for: Newton's method; without its Hessian, if that is dear; on growing parts of many rows.

    A large problem of the squared hinge goes to the solver that knows its parabolas.
    """
    if solver != "auto":
        return solver
    if objective.n_parameters > LARGEST_HESSIAN:
        return "finite-newton" if is_piecewise_parabolic(objective) else "newton-cg"
    if isinstance(objective, SoftmaxObjective) and products_are_cheaper(objective):
        return "newton-cg"
    many = objective.n_examples >= MANY * objective.n_parameters
    return "growing-newton" if many and isinstance(objective, LinearObjective) else "newton"


def products_are_cheaper(objective: SoftmaxObjective) -> bool:
    """Whether Newton's method needs fewer operations with products than with the Hessian itself.

    With p parameters, ten iterations cost about 10 p² (m + 10 p) for Hessians and inverses. A product costs 4 m p;
    conjugate gradients need about 2 √κ of them in all, with κ ≤ 1 + |X|² / (2 l2) the condition of the Hessian, and
    are to be twice as cheap. Without a penalty κ is not known, and may be anything.
    """
    p, m = objective.n_parameters, objective.n_examples
    if p <= SMALL_HESSIAN or not objective.l2:
        return False
    squares = row_squares(objective.X)
    total = float(squares.sum() if objective.weight is None else objective.weight @ squares)
    products = 2 * np.sqrt(1 + total / (2 * objective.l2))
    return 2 * 4 * m * p * products < 10 * p**2 * (m + 10 * p)


def stable_step(objective: Objective) -> float:
    """1 / max_i (c s_i |x_i|² + l2 / m), with c the largest curvature of the loss.

    No longer than one over the curvature of any example with its share of the penalty: no step overshoots.
    """
    bound = objective.loss.curvature_bound if isinstance(objective, LinearObjective) else 0.5
    if not np.isfinite(bound):
        raise ValueError('solver "sgd" needs solver_options={"step_size": ...}: this loss has no largest curvature')
    squares = row_squares(objective.X) + objective.intercept
    weighted = squares if objective.weight is None else squares * objective.weight
    return 1 / max(bound * float(weighted.max()) + objective.l2 / objective.n_examples, 1e-300)


def row_squares(X: Matrix) -> np.ndarray:
    """|x_i|², shape (m,)."""
    return X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)


def solved(solution: Solution) -> bool:
    """Whether the tolerance was met, or the gap is proved to be no more than rounding."""
    return solution.certificate.converged or solution.certificate.gap <= 1e-14 * max(1.0, abs(solution.value))


def far_off(objective: Objective, solution: Solution, tolerance: float | None) -> bool:
    """Whether the tolerance was met, but the gap is larger than that: a gradient is small in other units than F.

    To have no bound means nothing where bounds are not always found, or where the tolerance is loose.
    """
    converged, gap, _ = astuple(solution.certificate)
    near = max(NEAR, tolerance or 0.0) * max(objective.unit, abs(solution.value))
    expected = objective.bounds_gap and (tolerance is None or tolerance <= NEAR)
    return converged and gap > near and (expected or gap < np.inf)


def proved(objective: Objective, solution: Solution) -> bool:
    """Whether Newton's method, from this solution, comes to a point where the gap has a bound: there is a minimum."""
    if objective.n_parameters > LARGEST_HESSIAN:
        return False
    further = newton(objective, solution.theta, tolerance=1e-14, max_iterations=20)
    return np.isfinite(further.certificate.gap) and smallest_pivot(objective, further.theta) >= NEARLY_SINGULAR


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
        stacklevel=5,
    )


def smallest_pivot(objective: Objective, theta: np.ndarray) -> float:
    """What the columns before it leave of a column of the Hessian, scaled to a diagonal of ones: the least of all.

    1 is as good as orthogonal, 0 is singular; a large Hessian is not formed, and counts as 1.
    """
    if objective.n_parameters > LARGEST_HESSIAN:
        return 1.0
    hessian = objective.hessian_below(theta)
    root = np.sqrt(np.diagonal(hessian))
    if not (np.isfinite(hessian).all() and (root > 0).all()):
        return 0.0
    try:
        factor = cholesky(hessian / root / root[:, None], lower=True)
    except LinAlgError:
        return 0.0
    return float(np.diagonal(factor).min(initial=1.0) ** 2)
