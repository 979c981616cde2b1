"""Newton's method with its linear system solved only as well as needed, by conjugate gradients."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import backtrack
from probml.threads import one_blas_thread

Array = NDArray[np.float64]


def newton_cg(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 200
) -> Solution:
    """θ ← θ + t d with |H d + ∇F| ≤ min(1/2, √(|∇F| / |∇F_0|)) |∇F|: no Hessian is formed, only products with it.

    ∇F_0 is the gradient at the start. The system is solved better and better as the gradient vanishes, so that
    convergence is faster than linear.
    """
    run = Run(objective, start, tolerance, max_iterations)
    with one_blas_thread():
        return iterate(run)


def iterate(run: Run) -> Solution:
    """The method from where the run is."""
    objective = run.objective
    value, gradient = objective.value_and_gradient(run.theta)
    run.record(value, gradient)
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        direction = inexact_direction(objective, run.theta, gradient, run.steps[0].gradient_norm)
        slope = float(gradient @ direction)
        if (found := backtrack(objective.value_and_gradient, run.theta, value, slope, direction)) is None:
            return run.stuck()
        _, run.theta, value, gradient = found
        run.record(value, gradient)
    return run.converged()


def inexact_direction(objective: Objective, theta: Array, gradient: Array, scale: float) -> Array:
    """d with H d ≈ -∇F, by conjugate gradients from 0; they stop where H is flat in their direction."""
    norm = np.linalg.norm(gradient)
    enough = min(0.5, np.sqrt(norm / max(scale, norm))) * norm
    d, residual = np.zeros_like(gradient), -gradient
    p, steepest = residual.copy(), 0.0
    for _ in range(2 * len(gradient)):
        Hp = objective.hessian_product(theta, p)
        curvature = float(p @ Hp)
        steepest = max(steepest, curvature / float(p @ p))
        if curvature <= np.finfo(np.float64).eps * steepest * float(p @ p):
            return d if d.any() else -gradient
        square = float(residual @ residual)
        step = square / curvature
        d += step * p
        residual -= step * Hp
        if np.linalg.norm(residual) <= enough:
            break
        p = residual + float(residual @ residual) / square * p
    return d
