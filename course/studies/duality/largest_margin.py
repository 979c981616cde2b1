"""The line with the largest margin: minimise |w|²/2 subject to y_i (w · x_i + b) ≥ 1."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from course.studies.duality.kkt import Residuals, residuals

Array = NDArray[np.float64]


class Solution(NamedTuple):
    """w, b and the multipliers β of the constraints; exact fractions from `by_active_set`, arrays otherwise."""

    w: Sequence
    b: object
    beta: Sequence


def by_program(X: Array, y: Array) -> tuple[Array, float]:
    """w and b by a general solver of constrained problems (SLSQP), which knows nothing of the dual."""
    G = y[:, None] * np.column_stack([X, np.ones(len(X))])
    n = X.shape[1]
    found = minimize(
        lambda v: v[:n] @ v[:n] / 2,
        np.zeros(n + 1),
        jac=lambda v: np.append(v[:n], 0.0),
        constraints={"type": "ineq", "fun": lambda v: G @ v - 1, "jac": lambda v: G},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    if (G @ found.x).min() < 1 - 1e-6:
        raise ValueError("no line separates the classes: the constraints y (w · x + b) ≥ 1 cannot all hold")
    return found.x[:n], float(found.x[n])


def by_active_set(X: Sequence[Sequence[int]], y: Sequence[int]) -> Solution:
    """The exact solution: try every set of constraints that may be active, up to n + 1 of them.

    If those of S hold with equality and the others have β = 0, stationarity w = sum β_i y_i x_i and sum β_i y_i = 0
    leave |S| + 1 linear equations for β and b. The set whose solution has β ≥ 0 and violates no constraint is it:
    the conditions of Karush, Kuhn and Tucker are sufficient here.
    """
    m, n = len(X), len(X[0])

    def dot(a: Sequence, b: Sequence) -> Fraction:
        return sum((Fraction(s) * Fraction(t) for s, t in zip(a, b, strict=True)), start=Fraction(0))

    for size in range(2, n + 2):
        for active in combinations(range(m), size):
            rows = [[*(y[i] * y[j] * dot(X[i], X[j]) for j in active), Fraction(y[i]), Fraction(1)] for i in active]
            rows.append([*(Fraction(y[j]) for j in active), Fraction(0), Fraction(0)])
            solved = _solve(rows)
            if solved is None:
                continue
            beta = dict(zip(active, solved[:-1], strict=True))
            w = [sum((beta[i] * y[i] * X[i][k] for i in active), start=Fraction(0)) for k in range(n)]
            b = solved[-1]
            if min(beta.values()) >= 0 and all(y[i] * (dot(w, X[i]) + b) >= 1 for i in range(m)):
                return Solution(w, b, [beta.get(i, Fraction(0)) for i in range(m)])
    raise ValueError("no line separates the classes: no set of active constraints satisfies the conditions")


def conditions(X: Array, y: Array, w: Array, b: float, beta: Array) -> Residuals:
    """The conditions of Karush, Kuhn and Tucker in the variables (w, b)."""
    J = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    return residuals(np.append(w, 0.0), 1 - y * (X @ w + b), J, beta)


def _solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Gauss and Jordan's elimination of the augmented rows; None if there is no unique solution."""
    rows = [list(row) for row in rows]
    k = len(rows)
    for column in range(k):
        pivot = next((i for i in range(column, k) if rows[i][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for i in range(k):
            if i != column and rows[i][column] != 0:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]
