"""Solvers by their names, and what to say of a solution that is not one."""

import warnings
from collections.abc import Mapping

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cholesky
from sklearn.exceptions import ConvergenceWarning

from probml.linear_model.design import Matrix
from probml.objectives import LinearObjective, Objective
from probml.solvers import (
    Solution,
    bfgs,
    conjugate_gradient,
    coordinate_newton,
    fixed_hessian,
    gradient_descent,
    growing_newton,
    irls,
    lbfgs,
    newton,
    newton_cg,
    sgd,
)

SOLVERS = {
    "newton": newton,
    "growing-newton": growing_newton,
    "irls": irls,
    "newton-cg": newton_cg,
    "fixed-hessian": fixed_hessian,
    "coordinate-newton": coordinate_newton,
    "bfgs": bfgs,
    "lbfgs": lbfgs,
    "conjugate-gradient": conjugate_gradient,
    "gradient-descent": gradient_descent,
    "sgd": sgd,
}
ONE_PREDICTOR = ("irls", "coordinate-newton", "growing-newton")
NEWTON_TOLERANCE = 1e-20  # of F, that is the square of a distance from the minimum: 1e-10 standard errors
LARGEST_HESSIAN = 1000  # parameters above which no Hessian is formed
MANY = 200  # rows for each parameter from which on parts of them are worth while
NEARLY_SINGULAR = 1e-11  # what other columns leave of a column's square


def solve(
    objective: Objective,
    solver: str,
    options: Mapping[str, object] | None,
    tolerance: float | None,
    max_iterations: int | None,
    start: np.ndarray | None,
) -> Solution:
    """The minimum of the objective. None stands for what the solver takes if nothing is said."""
    if solver == "auto" and options:
        raise ValueError(f"solver_options={dict(options)!r} belong to one solver: name it, instead of 'auto'")
    solver = chosen(solver, objective)
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}; received {solver!r}")
    if solver in ONE_PREDICTOR and not isinstance(objective, LinearObjective):
        raise ValueError(f"solver {solver!r} is for models with one predictor; use newton, newton-cg or lbfgs")
    arguments = dict(options or {})
    if tolerance is not None:
        arguments["tolerance"] = tolerance
    elif solver in ("newton", "growing-newton"):
        arguments.setdefault("tolerance", NEWTON_TOLERANCE)
    if max_iterations is not None:
        arguments["max_iterations"] = max_iterations
    if solver == "sgd" and "step_size" not in arguments:
        arguments["step_size"] = stable_step(objective)
    try:
        return SOLVERS[solver](objective, start, **arguments)
    except TypeError as error:
        if "keyword argument" not in str(error):
            raise
        raise ValueError(f"solver_options={dict(options or {})!r} do not fit solver {solver!r}: {error}") from error


def chosen(solver: str, objective: Objective) -> str:
    """What "auto" stands for: Newton's method; without its Hessian, if that is large; on growing parts of many rows."""
    if solver != "auto":
        return solver
    if objective.n_parameters > LARGEST_HESSIAN:
        return "newton-cg"
    many = objective.n_examples >= MANY * objective.n_parameters
    return "growing-newton" if many and isinstance(objective, LinearObjective) else "newton"


def stable_step(objective: Objective) -> float:
    """1 / (c max |x|²), with c the largest curvature of the loss: no step goes beyond the minimum of its example."""
    bound = objective.loss.curvature_bound if isinstance(objective, LinearObjective) else 0.5
    if not np.isfinite(bound):
        raise ValueError('solver "sgd" needs solver_options={"step_size": ...}: this loss has no largest curvature')
    return 1 / max(bound * (largest_square(objective.X) + objective.intercept), 1e-300)


def largest_square(X: Matrix) -> float:
    """max |x|² over the rows."""
    squares = X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)
    return float(np.max(squares, initial=0.0))


def solved(solution: Solution) -> bool:
    """Whether the tolerance was met, or the gap is proved to be no more than rounding."""
    return solution.certificate.converged or solution.certificate.gap <= 1e-14 * max(1.0, abs(solution.value))


def proved(objective: Objective, solution: Solution) -> bool:
    """Whether Newton's method, from this solution, comes to a point where the gap has a bound: there is a minimum."""
    if objective.n_parameters > LARGEST_HESSIAN:
        return False
    further = newton(objective, solution.theta, tolerance=1e-14, max_iterations=20)
    return np.isfinite(further.certificate.gap) and not nearly_singular(objective, further.theta)


def warn_if_not_solved(solution: Solution, solver: str) -> None:
    """ConvergenceWarning with the certificate."""
    if solved(solution):
        return
    certificate, last = solution.certificate, solution.trace[-1]
    gap = f"at most {certificate.gap:.3g}" if np.isfinite(certificate.gap) else "not known (no bound)"
    warnings.warn(
        f"solver {solver!r} did not converge: {certificate.reason}. After {solution.iterations} iterations the gap to "
        f"the minimum is {gap}, and the largest entry of the gradient {last.gradient_norm:.3g}. Raise max_iterations, "
        "scale the columns of X, use l2 > 0, or another solver.",
        ConvergenceWarning,
        stacklevel=4,
    )


def nearly_singular(objective: Objective, theta: np.ndarray) -> bool:
    """Whether some column of the Hessian, scaled to a diagonal of ones, is almost a combination of those before it."""
    if objective.n_parameters > LARGEST_HESSIAN:
        return False
    hessian = objective.hessian_below(theta)
    root = np.sqrt(np.diagonal(hessian))
    if not (np.isfinite(hessian).all() and (root > 0).all()):
        return True
    try:
        factor = cholesky(hessian / root / root[:, None], lower=True)
    except LinAlgError:
        return True
    return bool(np.diagonal(factor).min(initial=1.0) ** 2 < NEARLY_SINGULAR)
