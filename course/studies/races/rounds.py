"""The twin of `newton_round` of `probml.solvers.coordinate_newton` for the logistic loss alone.

It needs one exponential of each example for each step.
"""

import numpy as np
from numpy.typing import NDArray

from probml.solvers.coordinate_newton import MAX_HALVINGS
from probml.solvers.line_search import RELATIVE_ROUNDING

Array = NDArray[np.float64]


def logistic_round(theta: Array, towards: Array, squares: Array, penalty: Array) -> Array:
    """θ, shape (p,), after a Newton step in each coordinate: what `coordinate_newton` does.

    towards : s_i x_ij with s_i = 1 for y_i = 1 and -1 for y_i = 0, shape (p, m). squares : x_ij², shape (p, m).
    penalty : of each coordinate, shape (p,). The loss that accepts a step is the one that the next step begins with.
    """
    theta, t = theta.copy(), theta @ towards
    value, wrong = _loss(t)
    for j, (x, square) in enumerate(zip(towards, squares, strict=True)):
        F_j, F_jj = penalty[j] * theta[j] - wrong @ x, (wrong - wrong * wrong) @ square + penalty[j]
        if F_j == 0 or F_jj <= 0:
            continue
        step = -F_j / F_jj
        before = value + penalty[j] / 2 * theta[j] ** 2
        for _ in range(MAX_HALVINGS):
            ahead = t + step * x
            there, wrong_there = _loss(ahead)
            now = there + penalty[j] / 2 * (theta[j] + step) ** 2
            if now <= before + 1e-4 * step * F_j + RELATIVE_ROUNDING * max(1.0, abs(before)):
                theta[j] += step
                t, value, wrong = ahead, there, wrong_there
                break
            step /= 2
    return theta


def _loss(t: Array) -> tuple[float, Array]:
    """sum_i log(1 + e^-t_i) and the probabilities of the wrong answers σ(-t_i), from one exponential."""
    e = np.exp(-np.abs(t))
    total = e + 1.0
    loss = np.log(total)
    loss -= np.minimum(t, 0.0)
    return float(np.add.reduce(loss)), np.where(t > 0, e, 1.0) / total
