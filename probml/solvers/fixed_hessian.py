"""Newton's method with one matrix for all iterations."""

from numpy.typing import ArrayLike

from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution
from probml.solvers.newton import inverse


def fixed_hessian(
    objective: Objective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 10_000
) -> Solution:
    r"""Newton's method with one matrix B above all Hessians, so that no step can be too long (Böhning and Lindsay).

    .. math::
        \theta \leftarrow \theta - B^{-1} \nabla F, \quad \nabla^2 F(\theta) \preceq B \text{ for all } \theta

    For the logistic loss B = X^T X / 4. An iteration costs no more than one of gradient descent.
    """
    run = Run(objective, start, tolerance, max_iterations)
    gradient = run.look()[1]
    B_inverse = inverse(objective.hessian_bound())  # factored once
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        run.theta = run.theta - B_inverse(gradient)
        gradient = run.look()[1]
    return run.converged()
