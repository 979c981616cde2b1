"""One pass of single-example updates, in a given order."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from probml.objectives import LinearObjective

Array = NDArray[np.float64]


def walk(objective: LinearObjective, order: NDArray[np.intp], step: float, start: Array | None = None) -> Array:
    """θ ← θ - step ∇l_i(θ) for i in `order`: stochastic gradient descent. All θ, shape (len(order) + 1, p)."""
    theta = objective.start() if start is None else np.array(start, dtype=np.float64)
    path = [theta]
    for i in order:
        # gradient_of estimates the gradient of the sum, and so is m times that of the example
        theta = theta - step / objective.n_examples * objective.gradient_of(np.array([i]), theta)
        path.append(theta)
    return np.array(path)


def sharpened(X: Array, y: Array, order: NDArray[np.intp], beta: float, start: Array) -> Array:
    """w ← w + (t_i - σ(β w · x_i)) x_i with t_i = 1 for y_i = 1 and 0 else. All w, shape (len(order) + 1, n).

    The update of logistic regression with the activation sharpened: σ(β z) is the step function for β → ∞.
    """
    w = np.array(start, dtype=np.float64)
    path = [w]
    for i in order:
        w = w + ((y[i] > 0) - expit(beta * (w @ X[i]))) * X[i]
        path.append(w)
    return np.array(path)
