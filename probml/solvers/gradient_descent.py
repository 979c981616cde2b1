"""Gradient descent (of a log likelihood with its sign changed: gradient ascent)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigvalsh

from probml.inputs import is_number
from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import backtrack

# Of what the slope promises. A step of up to 1.4 / λ is taken, with λ the curvature along it. Near to 2 / λ, steps
# would jump to and fro for long.
GREATER_DECREASE_SHARE = 0.3


def gradient_descent(
    objective: Objective,
    start: ArrayLike | None = None,
    *,
    step_size: float | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
) -> Solution:
    r"""Against the gradient.

    .. math::
        \theta \leftarrow \theta - t \nabla F

    step_size : t; None starts from twice the last step, at first from a length of 1, and halves it until F goes down
    enough (backtracking). A fixed step below 2 / L always goes down, with L the largest eigenvalue of all Hessians
    (`largest_curvature`); a longer one may diverge.
    """
    if step_size is not None and not (is_number(step_size) and 0 < step_size < np.inf):
        raise ValueError(f"step_size must be a number above 0, or None for backtracking; received {step_size!r}")
    run = Run(objective, start, tolerance, max_iterations)
    value, gradient = run.look()
    step = None
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        if step_size is not None:
            run.theta = run.theta - step_size * gradient
            value, gradient = objective.value_and_gradient(run.theta)
        else:
            trial = float(1 / np.linalg.norm(gradient)) if step is None else 2 * step
            found = backtrack(objective, run.theta, value, gradient, -gradient, trial, GREATER_DECREASE_SHARE)
            if found is None:
                return run.stuck()
            step, run.theta, value, gradient = found
        run.record(value, gradient)
    return run.converged()


def largest_curvature(objective: Objective) -> float:
    """L, the largest eigenvalue of a bound on all Hessians."""
    bound = objective.hessian_bound()
    return float(eigvalsh(bound, subset_by_index=[len(bound) - 1, len(bound) - 1])[0])
