"""Whether a solution is one: what its certificate, its Hessian and its predictors say."""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky
from sklearn.exceptions import ConvergenceWarning

from probml.linear_model.rows import predictors
from probml.linear_model.separation import Separation
from probml.linear_model.solving import LARGEST_HESSIAN, ModelObjective
from probml.objectives import Objective
from probml.solvers import Solution, newton
from probml.typing import Array, Matrix

NEARLY_SINGULAR = 1e-11  # what other columns leave of a column's square
ILL_CONDITIONED = 1e-8  # the same, where gradients and Hessians have lost half of their digits
NEGLIGIBLE_GAP = 1e-6  # of F: a larger gap is beyond any tolerance, unless that is as loose
LARGE_PREDICTOR = 15.0  # probabilities are then within 3e-7 of 0 or 1


class Boundary(NamedTuple):
    """Where a likelihood can want infinite predictors.

    reach : from predictors, shape (m, V), to the largest that speaks for its y.
    separation : from X to what is separated (`probml.linear_model.separation`).
    """

    reach: Callable[[Array], float]
    separation: Callable[[Matrix], Separation]


def solved(solution: Solution) -> bool:
    """Whether the tolerance was met, or the gap is proved to be no more than rounding."""
    return solution.certificate.converged or solution.certificate.gap <= 1e-14 * max(1.0, abs(solution.value))


def far_off(objective: Objective, solution: Solution, tolerance: float | None) -> bool:
    """Whether the tolerance was met, but the gap is larger than that: a gradient is small in other units than F.

    A gap without a bound counts as large where near a minimum there would be one, unless the tolerance is loose.
    """
    gap = solution.certificate.gap
    near = max(NEGLIGIBLE_GAP, tolerance or 0.0) * max(objective.unit, abs(solution.value))
    expected = objective.bounds_gap and (tolerance is None or tolerance <= NEGLIGIBLE_GAP)
    return solution.certificate.converged and gap > near and (expected or gap < np.inf)


def misled(objective: Objective, solution: Solution, tolerance: float | None) -> bool:
    """Whether the solver is not where it should be, and the columns of X may be why."""
    ill = not solved(solution) and smallest_pivot(objective, solution.theta) < ILL_CONDITIONED
    return ill or far_off(objective, solution, tolerance)


def in_doubt(objective: ModelObjective, solution: Solution, boundary: Boundary, tolerance: float | None) -> bool:
    """Whether there may be no minimum, for a regular Hessian.

    A bound on the gap proves that there is one: the objective goes up again in all directions. Where there is no
    bound a solver may have stopped early, and Newton's method goes on from there.
    """
    if np.isfinite(solution.certificate.gap):
        return False
    if objective.bounds_gap:  # near a minimum there would be one
        return not proved(objective, solution)
    p = objective.n_features + int(objective.intercept)
    reach = boundary.reach(predictors(objective.X, solution.theta.reshape(objective.n_parameters // p, -1)))
    # A solver that stops at the tolerance ε has let the predictors of separated rows go to about -log ε.
    large = LARGE_PREDICTOR if tolerance is None else min(LARGE_PREDICTOR, -np.log(tolerance) - 3)
    return (reach > large or not solved(solution)) and not proved(objective, solution)


def proved(objective: Objective, solution: Solution) -> bool:
    """Whether Newton's method, from this solution, comes to a point where the gap has a bound: there is a minimum."""
    if objective.n_parameters > LARGEST_HESSIAN:
        return False
    further = newton(objective, solution.theta, tolerance=1e-14, max_iterations=20)
    return np.isfinite(further.certificate.gap) and smallest_pivot(objective, further.theta) >= NEARLY_SINGULAR


def smallest_pivot(objective: Objective, theta: Array) -> float:
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
