"""Newton's method on growing parts of the data."""

from numpy.typing import ArrayLike

from probml.objectives.linear import LinearObjective
from probml.solvers.base import Solution
from probml.solvers.newton import newton

PARTS = (64, 8)  # every 64th example, every 8th
ENOUGH = 20  # examples for each parameter that make a part worth while


def growing_newton(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-10, max_iterations: int = 100
) -> Solution:
    """Newton's method on a small part of the examples, from its solution on a larger one, and last on all.

    The way to the minimum is the same for a part as for the whole, and costs less: on all examples two or three
    iterations remain. A part that has no minimum, as a separable one has none, is passed over.
    """
    theta = objective.start() if start is None else start
    for k in PARTS:
        if objective.n_examples < k * ENOUGH * objective.n_parameters:
            continue
        part = objective.thinned(k)
        solution = newton(part, theta, tolerance=1e-4, max_iterations=12)
        objective.cost.add(part.cost.passes / k, part.cost.flops)
        if solution.certificate.converged:
            theta = solution.theta
    return newton(objective, theta, tolerance=tolerance, max_iterations=max_iterations)
