"""Modified iterative scaling (Collins, Schapire and Singer 2002)."""

import numpy as np
from numpy.typing import ArrayLike

from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import Solution
from probml.solvers.base import Run


def iterative_scaling(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 10_000
) -> Solution:
    """θ_j ← θ_j + log(W_j+ / W_j-) / 2s with W_j± the sum of q_i |x_ij| over the examples with ±(2 y_i - 1) x_ij > 0.

    q_i is the probability that the model gives to the wrong answer, s the largest sum_j |x_ij| of all examples. The
    step minimises a bound on the logistic loss in which the coordinates do not meet: all move at once, none too far.
    """
    if not isinstance(objective.loss, Logistic) or objective.l2 or objective.intercept or objective.weight is not None:
        raise ValueError("iterative scaling is for the logistic loss, without penalty, intercept and weights")
    towards = objective.X * (2 * objective.y - 1)[:, None]
    positive, negative = np.maximum(towards, 0.0), np.maximum(-towards, 0.0)
    if not ((positive > 0).any(axis=0) & (negative > 0).any(axis=0)).all():
        raise ValueError("a feature speaks for one class only: W+ or W- is 0, and the step infinite; leave it out")
    s = np.abs(towards).sum(axis=1).max()
    run = Run(objective, start, tolerance, max_iterations)
    while True:
        run.record(*objective.value_and_gradient(run.theta))
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        q = -objective.loss.gradient(objective.y, objective.X @ run.theta) * (2 * objective.y - 1)
        run.theta = run.theta + np.log((q @ positive) / (q @ negative)) / (2 * s)
