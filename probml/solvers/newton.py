"""Newton's method."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import pinvh
from scipy.linalg.lapack import dpotrf, dpotrs

from probml.objectives.base import Objective, overflow_is_inf
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import backtrack, goes_down
from probml.typing import Array

Factor: TypeAlias = tuple[Array, bool]  # of Cholesky, as `cho_solve` takes it
SOLVED = 1e-8  # share of the first gradient that H d + ∇F may be: as good as 0


def newton(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-10, max_iterations: int = 100
) -> Solution:
    r"""Newton's method, with t = 1, halved until F goes down.

    .. math::
        \theta \leftarrow \theta - t H^{-1} \nabla F, \quad H = \nabla^2 F(\theta)

    Near the minimum the error is squared by every iteration. Done when half the square of the Newton decrement,
    ∇F^T H^-1 ∇F / 2, which is about what is left to gain, is below `tolerance` · max(1, |F|), with the mean weight of
    an example for 1. Where F goes down in a direction in which H is flat there is no Newton step, and the run is stuck.
    """
    return iterate(Run(objective, start, tolerance, max_iterations))


@overflow_is_inf
def iterate(run: Run) -> Solution:
    """Newton's method from where the run is."""
    objective = run.objective
    value, gradient, hessian = objective.newton_system(run.theta)
    while True:
        run.record(value, gradient)
        direction = -inverse(hessian)(gradient)
        slope = float(gradient @ direction)
        if -slope / 2 <= run.tolerance * max(objective.unit, abs(value)):
            if is_unsolved(run, gradient, hessian, direction):
                return run.stuck("the Hessian is flat in a direction in which the gradient is not 0")
            return run.converged("the Newton decrement is below the tolerance")
        if run.exhausted:
            return run.given_up()
        there = run.theta + direction
        system = objective.newton_system(there)  # most steps are full ones, and then this is all that the next needs
        if not goes_down(system[0], float(system[1] @ direction), value, slope, unit=objective.unit):
            if (found := backtrack(objective, run.theta, value, gradient, direction, step=0.5)) is None:
                return run.stuck()
            there = found[1]
            system = objective.newton_system(there)
        run.theta, (value, gradient, hessian) = there, system


def is_unsolved(run: Run, gradient: Array, hessian: Array, direction: Array) -> bool:
    """Whether H d = -∇F has no solution, so that d, and with it the decrement, leaves out a part of the gradient."""
    rounding = SOLVED * run.first_gradient
    return run.steps[-1].gradient_norm > rounding and float(np.abs(hessian @ direction + gradient).max()) > rounding


def inverse(hessian: Array) -> Callable[[Array], Array]:
    """g -> H^-1 g, by a Cholesky factor; where H is singular, the solution that is shortest for a diagonal of ones."""
    if not np.isfinite(hessian).all():
        raise ValueError(
            "the Hessian is not finite: rescale X, or, if a mean is at the end of its range, or the objective is not "
            "convex (canonical links make it so), use another link or l2 > 0"
        )
    if (factor := regular_factor(hessian)) is not None:
        return lambda gradient: np.asarray(dpotrs(factor[0], gradient)[0]) if len(gradient) else gradient
    # With a diagonal of ones: only then a small eigenvalue means a direction that is flat, not a small unit
    root = np.sqrt(np.where(np.diagonal(hessian) > 0, np.diagonal(hessian), 1.0))
    pseudo_inverse = pinvh(hessian / root / root[:, None])
    return lambda gradient: pseudo_inverse @ (gradient / root) / root


def regular_factor(hessian: Array) -> Factor | None:
    """The Cholesky factor of H for `cho_solve`, or None where H is singular.

    The square of a pivot, over H_jj, is the share of column j that the columns before it leave: a scale-free test.
    """
    R, failed = dpotrf(hessian)
    pivots, rounding = R.diagonal() ** 2, len(hessian) * np.finfo(np.float64).eps
    return None if failed or (pivots <= rounding * hessian.diagonal()).any() else (R, False)
