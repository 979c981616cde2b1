"""Newton's method for one coordinate at a time."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from probml.objectives.base import ALL, overflow_is_inf
from probml.objectives.linear import LinearObjective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import DECREASE_SHARE, RELATIVE_ROUNDING, magnitude
from probml.typing import Array, Indices

MAX_HALVINGS = 50  # of a step, after which a coordinate stays where it is


@overflow_is_inf
def newton_round(objective: LinearObjective, theta: Array) -> Array:
    """θ after a Newton step in each coordinate, one after the other.

    z = X θ is kept up to date, and only the examples with x_ij ≠ 0 are looked at.
    """
    objective.cost.add(2, 11 * objective.entries)
    y, loss, weighted = objective.y, objective.loss, objective.weighted
    theta, z = theta.copy(), objective.linear_predictor(objective.X, ALL, theta)
    for j, (rows, x) in enumerate(columns(objective)):
        l2 = objective.l2 if j < objective.n_features else 0.0  # no penalty on the intercept
        value, slope, curvature = (weighted(each, rows) for each in loss.all(y[rows], z[rows]))
        F_j, F_jj = slope @ x + l2 * theta[j], curvature @ x**2 + l2
        if F_j == 0 or F_jj <= 0:
            continue
        step = -F_j / F_jj
        before = value.sum() + l2 / 2 * theta[j] ** 2
        rounding = RELATIVE_ROUNDING * magnitude(before, objective.unit)
        for _ in range(MAX_HALVINGS):
            after = weighted(loss.value(y[rows], z[rows] + step * x), rows).sum() + l2 / 2 * (theta[j] + step) ** 2
            if after <= before + DECREASE_SHARE * step * F_j + rounding:
                theta[j] += step
                z[rows] += step * x
                break
            step /= 2
    return theta


def coordinate_newton(
    objective: LinearObjective,
    start: ArrayLike | None = None,
    *,
    one_round: Callable[[LinearObjective, Array], Array] = newton_round,
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
) -> Solution:
    r"""Newton's method for one j after the other, with the predictors x · θ kept up to date; t as in `newton`.

    .. math::
        \theta_j \leftarrow \theta_j - t F_j / F_{jj}, \quad
        F_j = \frac{\partial F}{\partial \theta_j}, \quad F_{jj} = \frac{\partial^2 F}{\partial \theta_j^2}

    An iteration is one round of all coordinates, and costs about as much as two gradients.
    one_round : θ after a round, from the θ before; a program for one loss alone may be quicker.
    """
    run = Run(objective, start, tolerance, max_iterations)
    while True:
        run.look()
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        run.theta = one_round(objective, run.theta)


def columns(objective: LinearObjective) -> Iterator[tuple[slice | Indices, Array]]:
    """For each coordinate the examples in which it takes part, and its values there: the columns of X, then ones."""
    if isinstance(objective.X, np.ndarray):
        for j in range(objective.n_features):
            yield ALL, objective.X[:, j]
    else:
        X = sparse.csc_array(objective.X)
        for start, end in zip(X.indptr[:-1], X.indptr[1:], strict=True):
            yield X.indices[start:end], X.data[start:end]
    if objective.intercept:
        yield ALL, np.ones(objective.n_examples)
