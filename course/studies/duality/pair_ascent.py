"""The dual of the largest margin, by coordinate ascent on pairs.

    maximise  θ_D(β) = sum_i β_i - |w|²/2,  w = sum_i β_i y_i x_i      subject to   β ≥ 0,  sum_i β_i y_i = 0

The equation ties the coordinates: one alone cannot move. Two can, β_i by y_i t and β_j by -y_j t, which leaves it
true; w moves by t (x_i - x_j), and θ_D is a parabola in t with its top at

    t = [(y_i - y_j) - w · (x_i - x_j)] / |x_i - x_j|²

cut off where β_i or β_j would become negative.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Ascent(NamedTuple):
    """w, b, β; after each sweep the dual value, and the primal value of w scaled to be feasible (or inf)."""

    w: Array
    b: float
    beta: Array
    dual: Array
    primal: Array


def pair_ascent(X: Array, y: Array, tolerance: float = 1e-13, max_sweeps: int = 20_000) -> Ascent:
    """Sweep over all pairs until primal and dual value differ by less than `tolerance` of the dual.

    X : shape (m, n). y : -1 or 1, shape (m,), both present.
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if set(np.unique(y)) != {-1.0, 1.0}:
        raise ValueError(f"y must hold -1 and 1, both of them, received {np.unique(y).tolist()}")
    pairs = [(i, j) for i, j in combinations(range(len(y)), 2) if (X[i] != X[j]).any()]
    beta, w = np.zeros(len(y)), np.zeros(X.shape[1])
    dual, primal = [], []
    for _ in range(max_sweeps):
        for i, j in pairs:
            apart = X[i] - X[j]
            t = ((y[i] - y[j]) - w @ apart) / (apart @ apart)
            low = max(-beta[i] if y[i] > 0 else -np.inf, -beta[j] if y[j] < 0 else -np.inf)
            high = min(beta[i] if y[i] < 0 else np.inf, beta[j] if y[j] > 0 else np.inf)
            t = min(max(t, low), high)
            beta[i], beta[j] = max(beta[i] + y[i] * t, 0.0), max(beta[j] - y[j] * t, 0.0)
            w = w + t * apart
        w = (beta * y) @ X  # without the rounding errors of the steps
        dual.append(beta.sum() - w @ w / 2)
        above, below = (X[y > 0] @ w).min(), (X[y < 0] @ w).max()
        margin = (above - below) / 2
        primal.append(w @ w / 2 / margin**2 if margin > 0 else np.inf)
        if primal[-1] - dual[-1] <= tolerance * dual[-1]:
            return Ascent(w, float(-(above + below) / 2), beta, np.array(dual), np.array(primal))
    raise ValueError(f"no largest margin after {max_sweeps} sweeps: does a line separate the classes?")
