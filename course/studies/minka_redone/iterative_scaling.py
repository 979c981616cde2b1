"""Modified iterative scaling (Collins, Schapire and Singer 2002)."""

import numpy as np
from numpy.typing import ArrayLike

from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import Solution
from probml.solvers.base import Run
from probml.threads import one_blas_thread

ROUNDING = 1e-12  # share of W+ that a W- beside it must have, or the other way round


def iterative_scaling(
    objective: LinearObjective,
    start: ArrayLike | None = None,
    *,
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
    enough: float = -np.inf,
) -> Solution:
    """θ_j ← θ_j + log(W_j+ / W_j-) / 2s with W_j± the sum of q_i |x_ij| over the examples with ±(2 y_i - 1) x_ij > 0.

    q_i is the probability that the model gives to the wrong answer, s the largest sum_j |x_ij| of all examples. The
    step minimises a bound on the logistic loss in which the coordinates do not meet: all move at once, none too far.
    log(W+ / W-) / 2 is artanh((W+ - W-) / (W+ + W-)).

    enough : a value of the objective at which to stop.
    """
    if not isinstance(objective.loss, Logistic) or objective.l2 or objective.intercept or objective.weight is not None:
        raise ValueError("iterative scaling is for the logistic loss, without penalty, intercept and weights")
    d = objective.n_features
    both = np.empty((objective.n_examples, 2 * d))
    towards, size = both[:, :d], both[:, d:]
    np.multiply(objective.X, (2 * objective.y - 1)[:, None], out=towards)
    np.abs(towards, out=size)
    for_one, for_other = np.maximum(towards, 0).sum(axis=0), np.maximum(-towards, 0).sum(axis=0)
    if (np.minimum(for_one, for_other) <= ROUNDING * np.maximum(for_one, for_other)).any():
        raise ValueError(
            "a feature speaks for one class only: W+ or W- is 0 or nearly so, the step infinite; leave it out"
        )
    s = size.sum(axis=1).max()
    run = Run(objective, start, tolerance, max_iterations)
    with one_blas_thread():
        while True:
            objective.cost.add(1, 4 * objective.X.size)  # that of a gradient: W+ and W- are its two halves
            margin = towards @ run.theta
            e = np.exp(-np.abs(margin))
            q = np.where(margin > 0, e, 1.0) / (1 + e)
            sums = q @ both  # W+ - W-, which is -∇F, and W+ + W-
            run.record(float((np.log1p(e) - np.minimum(margin, 0.0)).sum()), sums[:d])
            if run.flat():
                return run.converged()
            if run.steps[-1].value <= enough:
                return run.converged("the value is low enough")
            if run.exhausted:
                return run.given_up()
            run.theta = run.theta + np.arctanh(sums[:d] / sums[d:]) / s
