"""Iteratively reweighted least squares."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lstsq

from probml.objectives.base import ALL
from probml.objectives.linear import LinearObjective
from probml.solvers.base import Run, Solution
from probml.threads import one_blas_thread
from probml.typing import Array


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
            A, b = least_squares_system(objective, run.theta)
            run.theta = lstsq(A, b, lapack_driver="gelsy")[0]
        if not np.isfinite(run.theta).all():
            return run.stuck()


def least_squares_system(objective: LinearObjective, theta: Array) -> tuple[Array, Array]:
    """A and b, such that the next θ minimises |A θ - b|²: √v (X, 1) and √v u, with √l2 (I, 0) and 0 below."""
    (m, n), loss, y, X = objective.X.shape, objective.loss, objective.y, objective.X
    objective.cost.add(1, 2 * objective.entries * (n + 1))
    z = objective.linear_predictor(X, ALL, theta)
    slope, curvature = loss.gradient(y, z), loss.curvature(y, z)
    u = z - np.divide(slope, curvature, out=np.zeros_like(z), where=curvature > 0)  # no parabola, no weight
    if objective.offset is not None:
        u -= objective.offset
    root = np.sqrt(objective.weighted(curvature, ALL))
    A = np.zeros((m + (n if objective.l2 else 0), objective.n_parameters))
    A[:m, :n] = X if isinstance(X, np.ndarray) else X.toarray()
    A[:m, n:] = 1.0
    A[:m] *= root[:, None]
    if objective.l2:
        A[m:, :n] = np.sqrt(objective.l2) * np.eye(n)
    return A, np.concatenate([root * u, np.zeros(len(A) - m)])
