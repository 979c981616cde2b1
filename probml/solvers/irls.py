"""Iteratively reweighted least squares."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lstsq

from probml.objectives.linear import LinearObjective
from probml.solvers.base import Run, Solution
from probml.threads import one_blas_thread


def irls(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 100
) -> Solution:
    r"""Iteratively reweighted least squares, with weights v and responses u from the θ before.

    .. math::
        \theta \leftarrow \arg\min_\theta \sum_i v_i (u_i - x_i \cdot \theta)^2 + l_2 |w|^2, \quad
        v = s \, l'', \quad u = x \cdot \theta - l' / l''

    u is the predictor that a parabola through value, slope and curvature of the loss would have at its lowest point.
    It is solved by orthogonal factors of √v (X, 1), not by the normal equations: the condition is not squared.
    For canonical links this is Newton's method with full steps.
    """
    run = Run(objective, start, tolerance, max_iterations)
    while True:
        run.look()
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        with one_blas_thread():
            run.theta = lstsq(*objective.least_squares(run.theta), lapack_driver="gelsy")[0]
        if not np.isfinite(run.theta).all():
            return run.stuck()
