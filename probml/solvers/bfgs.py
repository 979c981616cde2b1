"""BFGS: an inverse Hessian learned from differences of gradients."""

import numpy as np
from numpy.typing import ArrayLike

from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import wolfe


def bfgs(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 1000
) -> Solution:
    r"""The method of Broyden, Fletcher, Goldfarb and Shanno: after a step s that changes the gradient by y,

    .. math::
        \theta \leftarrow \theta - t G \nabla F, \quad
        G \leftarrow (I - \rho s y^T) G (I - \rho y s^T) + \rho s s^T, \quad \rho = 1 / y^T s,

    the symmetric matrix nearest to the old one that explains the change, G y = s. G starts as a multiple of I, found
    from the first step.
    """
    run = Run(objective, start, tolerance, max_iterations)
    value, gradient = run.look()
    G = None
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        direction = -gradient / np.linalg.norm(gradient) if G is None else -G @ gradient
        found = wolfe(objective, run.theta, value, gradient, direction)
        if found is None:
            return run.stuck()
        step, run.theta, value, new_gradient = found
        s, y = step * direction, new_gradient - gradient
        gradient = new_gradient
        run.record(value, gradient)
        if (sy := float(s @ y)) <= 0:
            continue
        if G is None:
            G = np.eye(len(s)) * (sy / (y @ y))
        Gy = G @ y  # multiplied out, G ← G + (ρ + ρ² y^T G y) s s^T - ρ (s y^T G + G y s^T)
        G += (1 + y @ Gy / sy) / sy * np.outer(s, s) - (np.outer(s, Gy) + np.outer(Gy, s)) / sy
    return run.converged()
