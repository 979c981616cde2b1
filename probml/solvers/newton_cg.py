"""Newton's method with its linear system solved only as well as needed, by conjugate gradients."""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from probml.objectives.base import Objective, Preconditioner, unchanged
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import backtrack
from probml.threads import one_blas_thread
from probml.typing import Array

LARGEST_RESIDUAL = 0.5  # of the gradient, that a system may leave at most
RENEWED = 0.2  # of the gradient at which the preconditioner was computed: it is, again. First steps go without


def newton_cg(
    objective: Objective,
    start: ArrayLike | None = None,
    *,
    preconditioned: bool = False,
    tolerance: float = 1e-8,
    max_iterations: int = 200,
) -> Solution:
    r"""Newton's method with a direction d that solves its system roughly: no Hessian is formed, only products with it.

    .. math::
        \theta \leftarrow \theta + t d, \quad
        |H d + \nabla F| \le \min\left(\tfrac{1}{2}, \sqrt{|\nabla F| / |\nabla F_0|}\right) |\nabla F|

    ∇F_0 is the gradient at the start. The system is solved better and better as the gradient vanishes, so that
    convergence is faster than linear; but never better than the tolerance asks for.
    preconditioned : whether the objective's `preconditioner` is used, which makes for fewer products.
    """
    run = Run(objective, start, tolerance, max_iterations)
    with one_blas_thread():
        return iterate(run, preconditioned)


def iterate(run: Run, preconditioned: bool = False) -> Solution:
    """The method from where the run is."""
    objective = run.objective
    value, gradient = run.look()
    nearly_inverse: Preconditioner = unchanged
    norm_then = run.steps[0].gradient_norm
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        if preconditioned and run.steps[-1].gradient_norm <= RENEWED * norm_then:
            nearly_inverse, norm_then = objective.preconditioner(run.theta), run.steps[-1].gradient_norm
        enough = residual_allowed(run, gradient)
        direction = inexact_direction(objective, run.theta, gradient, enough, nearly_inverse)
        if (found := backtrack(objective, run.theta, value, gradient, direction)) is None:
            return run.stuck()
        _, run.theta, value, gradient = found
        run.record(value, gradient)
    return run.converged()


def residual_allowed(run: Run, gradient: Array) -> float:
    """What the system may leave, as above; half of what the tolerance asks for is enough."""
    norm = float(np.linalg.norm(gradient))
    share = min(LARGEST_RESIDUAL, sqrt(norm / max(run.steps[0].gradient_norm, norm)))
    return max(share * norm, run.goal / 2)


def inexact_direction(
    objective: Objective,
    theta: Array,
    gradient: Array,
    enough: float,
    nearly_inverse: Preconditioner = unchanged,
) -> Array:
    """d with |H d + ∇F| ≤ enough, by conjugate gradients from 0; they stop where H is flat in their direction.

    nearly_inverse : g -> M^-1 g with M near H, symmetric and positive definite.
    """
    d, residual = np.zeros_like(gradient), -gradient
    towards = nearly_inverse(residual)
    p, steepest, square = towards.copy(), 0.0, float(residual @ towards)
    for _ in range(2 * len(gradient)):
        Hp = objective.hessian_product(theta, p)
        curvature, length = float(p @ Hp), float(p @ p)
        steepest = max(steepest, curvature / length)
        if curvature <= np.finfo(np.float64).eps * steepest * length:
            return d if d.any() else -gradient
        step = square / curvature
        d += step * p
        residual -= step * Hp
        if residual @ residual <= enough**2:
            break
        towards = nearly_inverse(residual)
        before, square = square, float(residual @ towards)
        p *= square / before
        p += towards
    return d
