"""Updates from one example after the other, compiled: SGD, momentum, Adam and SAGA for the logistic loss.

In all of them X has the shape (m, d), a column of ones included if there is an intercept, y in {0, 1} the shape (m,),
`rows` the examples in the order in which they are used, and θ, shape (d,), is changed in place. The gradient of example
i is g_i = (σ(x_i · θ) - y_i) x_i + penalty θ, with `penalty`, shape (d,), that of the mean loss.
"""

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


@compiled
def residual(X: Array, y: Array, i: int, theta: Array) -> float:
    """σ(x_i · θ) - y_i, which is g_i over x_i."""
    z = 0.0
    for j in range(len(theta)):
        z += X[i, j] * theta[j]
    return 1.0 / (1.0 + np.exp(-z)) - y[i]


@compiled
def sgd_updates(X: Array, y: Array, rows: Rows, steps: Array, penalty: Array, theta: Array) -> None:
    """θ ← θ - α_k g, with g the mean of g_i over the examples rows[k]. rows : (updates, batch). steps : (updates,)."""
    gradient = np.zeros(len(theta))
    for k in range(len(rows)):
        for j in range(len(theta)):
            gradient[j] = penalty[j] * theta[j]
        for i in rows[k]:
            share = residual(X, y, i, theta) / rows.shape[1]
            for j in range(len(theta)):
                gradient[j] += share * X[i, j]
        for j in range(len(theta)):
            theta[j] -= steps[k] * gradient[j]


@compiled
def momentum_updates(
    X: Array, y: Array, rows: Rows, step: float, beta: float, penalty: Array, theta: Array, velocity: Array
) -> None:
    """v ← β v - α g_i, θ ← θ + v. velocity : v, shape (d,). rows : (updates,)."""
    for i in rows:
        slope = residual(X, y, i, theta)
        for j in range(len(theta)):
            velocity[j] = beta * velocity[j] - step * (slope * X[i, j] + penalty[j] * theta[j])
        for j in range(len(theta)):
            theta[j] += velocity[j]


@compiled
def adam_updates(
    X: Array,
    y: Array,
    rows: Rows,
    steps: Array,
    betas: Array,
    tiny: float,
    penalty: Array,
    theta: Array,
    moments: Array,
    done: int,
) -> None:
    """Adam, after `done` updates.

    betas : (β₁, β₂). moments : running means of g and of g², shape (2, d). rows, steps : shape (updates,).
    """
    for k in range(len(rows)):
        i = rows[k]
        slope = residual(X, y, i, theta)
        first, second = 1.0 - betas[0] ** (done + k + 1), 1.0 - betas[1] ** (done + k + 1)
        for j in range(len(theta)):
            g = slope * X[i, j] + penalty[j] * theta[j]
            moments[0, j] = betas[0] * moments[0, j] + (1.0 - betas[0]) * g
            moments[1, j] = betas[1] * moments[1, j] + (1.0 - betas[1]) * g * g
        for j in range(len(theta)):
            theta[j] -= steps[k] * (moments[0, j] / first) / (np.sqrt(moments[1, j] / second) + tiny)


@compiled
def saga_updates(
    X: Array, y: Array, rows: Rows, step: float, penalty: Array, theta: Array, remembered: Array, mean: Array
) -> None:
    """θ ← θ - α (g_i - old g_i + mean of all old ones), then the old g_i is the new one. rows : (updates,).

    remembered : the residuals of all examples where each was last used, shape (m,). mean : (1/m) Σ remembered_i x_i,
    shape (d,). The gradient of the penalty is known exactly, so it is not remembered.
    """
    for i in rows:
        slope = residual(X, y, i, theta)
        change = slope - remembered[i]
        remembered[i] = slope
        for j in range(len(theta)):
            theta[j] -= step * (change * X[i, j] + mean[j] + penalty[j] * theta[j])
            mean[j] += change * X[i, j] / len(X)
