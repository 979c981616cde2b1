"""L-BFGS: BFGS that remembers only the last few steps."""

from collections import deque

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import is_whole
from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import wolfe
from probml.typing import Array


def lbfgs(
    objective: Objective,
    start: ArrayLike | None = None,
    *,
    memory: int = 10,
    tolerance: float = 1e-8,
    max_iterations: int = 2000,
) -> Solution:
    """θ ← θ - t G ∇F, with G the BFGS matrix of the last `memory` steps, applied without forming it."""
    if not (is_whole(memory) and memory >= 1):
        raise ValueError(f"memory must be a whole number of at least 1, received {memory!r}")
    run = Run(objective, start, tolerance, max_iterations)
    value, gradient = run.look()
    pairs: deque[tuple[Array, Array, float]] = deque(maxlen=memory)
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        direction = -two_loops(pairs, gradient) if pairs else -gradient / np.linalg.norm(gradient)
        found = wolfe(objective, run.theta, value, gradient, direction)
        if found is None:
            return run.stuck()
        step, run.theta, value, new_gradient = found
        s, y = step * direction, new_gradient - gradient
        if (sy := float(s @ y)) > 0:
            pairs.append((s, y, 1 / sy))
        gradient = new_gradient
        run.record(value, gradient)
    return run.converged()


def two_loops(pairs: deque[tuple[Array, Array, float]], gradient: Array) -> Array:
    """G ∇F by the two-loop recursion, from the newest step s, y, ρ = 1 / y^T s to the oldest and back."""
    q, alphas = gradient.copy(), []
    for s, y, rho in reversed(pairs):
        alphas.append(rho * (s @ q))
        q -= alphas[-1] * y
    s, y, rho = pairs[-1]
    q /= rho * (y @ y)
    for (s, y, rho), alpha in zip(pairs, reversed(alphas), strict=True):
        q += (alpha - rho * (y @ q)) * s
    return q
