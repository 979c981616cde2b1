"""The nonlinear conjugate-gradient method."""

import numpy as np
from numpy.typing import ArrayLike

from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import wolfe


def conjugate_gradient(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 5000
) -> Solution:
    r"""Conjugate directions d of Polak and Ribière, with ∇F' the gradient before.

    .. math::
        \theta \leftarrow \theta + t d, \quad d \leftarrow -\nabla F + \beta d, \quad
        \beta = \max\left(0, \frac{\nabla F \cdot (\nabla F - \nabla F')}{|\nabla F'|^2}\right)

    β = 0 begins anew with the gradient. The first trial of t would gain as much as the last step did, were F linear.
    """
    run = Run(objective, start, tolerance, max_iterations)
    value, gradient = run.look()
    direction, trial = -gradient, float(1 / np.linalg.norm(gradient)) if gradient.any() else 1.0
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        slope = float(gradient @ direction)
        found = wolfe(objective, run.theta, value, gradient, direction, trial, curvature=0.1, strong=True)
        if found is None:
            return run.stuck()
        step, run.theta, value, new_gradient = found
        beta = max(0.0, float(new_gradient @ (new_gradient - gradient)) / float(gradient @ gradient))
        gradient, direction = new_gradient, beta * direction - new_gradient
        if gradient @ direction >= 0:
            direction = -gradient
        run.record(value, gradient)
        if new_slope := float(gradient @ direction):  # it underflows before the gradient does
            trial = step * slope / new_slope
    return run.converged()
