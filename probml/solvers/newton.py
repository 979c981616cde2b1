"""Newton's method."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq

from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import backtrack

Array = NDArray[np.float64]


def newton(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-10, max_iterations: int = 100
) -> Solution:
    """θ ← θ - t H^-1 ∇F with H = ∇²F(θ), and t = 1, halved until F goes down.

    Near the minimum the error is squared by every iteration. Done when half the square of the Newton decrement,
    ∇F^T H^-1 ∇F / 2, which is about what is left to gain, is below `tolerance` · max(1, |F|).
    """
    run = Run(objective, start, tolerance, max_iterations)
    while True:
        value, gradient, hessian = objective.newton_system(run.theta)
        run.record(value, gradient)
        direction = -solve(hessian, gradient)
        slope = float(gradient @ direction)
        if -slope / 2 <= tolerance * max(1.0, abs(value)):
            return run.converged("the Newton decrement is below the tolerance")
        if run.exhausted:
            return run.given_up()
        if (found := backtrack(objective.value, run.theta, value, slope, direction)) is None:
            return run.stuck()
        run.theta = found[1]


def solve(hessian: Array, gradient: Array) -> Array:
    """H^-1 ∇F by a Cholesky factor; the shortest solution where H is singular."""
    try:
        return cho_solve(cho_factor(hessian), gradient)
    except LinAlgError:
        return lstsq(hessian, gradient)[0]
