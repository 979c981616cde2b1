"""The normal equations, solved as they stand, and without any rounding."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Array = NDArray[np.float64]


def powers(x: Array, degree: int) -> Array:
    """Columns 1, x, x², ..., x^degree. Shape (m, degree + 1)."""
    return x[:, None] ** np.arange(degree + 1)


def by_normal_equations(X: Array, y: Array) -> Array:
    """θ of X^T X θ = X^T y by Cholesky's factor of X^T X, shape (n,). LinAlgError where rounding leaves none."""
    return cho_solve(cho_factor(X.T @ X), X.T @ y)


def exactly(X: Array, y: Array) -> Array:
    """θ of X^T X θ = X^T y in fractions, by Gauss's elimination, rounded once at the end. Shape (n,)."""
    rows = [[Fraction(float(value)) for value in row] for row in X]
    answers = [Fraction(float(value)) for value in y]
    columns = [list(column) for column in zip(*rows, strict=True)]
    system = [
        [sum(a * b for a, b in zip(left, right, strict=True)) for right in (*columns, answers)] for left in columns
    ]
    for k, pivot in enumerate(system):  # X^T X is positive definite: no pivot is 0
        for row in system[k + 1 :]:
            ratio = row[k] / pivot[k]
            row[k:] = [a - ratio * b for a, b in zip(row[k:], pivot[k:], strict=True)]
    theta = [Fraction(0)] * len(system)
    for k in reversed(range(len(system))):
        known = sum(a * b for a, b in zip(system[k][k + 1 : -1], theta[k + 1 :], strict=True))
        theta[k] = (system[k][-1] - known) / system[k][k]
    return np.array([float(value) for value in theta])
