"""Newton's method for one coordinate at a time."""

from numpy.typing import ArrayLike

from probml.objectives.linear import LinearObjective
from probml.solvers.base import Run, Solution


def coordinate_newton(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 10_000
) -> Solution:
    r"""Newton's method for one j after the other, with the predictors x · θ kept up to date; t as in `newton`.

    .. math::
        \theta_j \leftarrow \theta_j - t F_j / F_{jj}, \quad
        F_j = \frac{\partial F}{\partial \theta_j}, \quad F_{jj} = \frac{\partial^2 F}{\partial \theta_j^2}

    An iteration is one round of all coordinates, and costs about as much as two gradients.
    """
    run = Run(objective, start, tolerance, max_iterations)
    while True:
        run.look()
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        run.theta = objective.round_of_coordinates(run.theta)
