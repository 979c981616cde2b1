"""The normal equations, solved as they stand and without any rounding, and what rounding costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from probml.linear_model import LinearRegression

Array = NDArray[np.float64]


def powers(x: Array, degree: int) -> Array:
    """Columns 1, x, x², ..., x^degree. Shape (m, degree + 1)."""
    return x[:, None] ** np.arange(degree + 1)


def by_normal_equations(X: Array, y: Array) -> Array:
    """θ of X^T X θ = X^T y, as the note solves it. Shape (n,)."""
    return np.linalg.solve(X.T @ X, X.T @ y)


def by_qr(X: Array, y: Array) -> Array:
    """θ of R θ = Q^T y with X = Q R, by back substitution. Shape (n,)."""
    Q, R = np.linalg.qr(X)
    return solve_triangular(R, Q.T @ y)


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


@dataclass(frozen=True)
class Rounding:
    """condition : of X for each degree. normal, qr, package : relative error |θ - exact| / |exact| for each degree."""

    condition: Array
    normal: Array
    qr: Array
    package: Array


def rounding(x: Array, y: Array, degrees: Sequence[int]) -> Rounding:
    """Relative errors of polynomials of these degrees in x, fitted to y by three methods."""
    rows = []
    for degree in degrees:
        X = powers(x, degree)
        exact = exactly(X, y)
        package = LinearRegression(fit_intercept=False).fit(X, y).coef_
        found = np.array([by_normal_equations(X, y), by_qr(X, y), package])
        rows.append([np.linalg.cond(X), *(np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact))])
    return Rounding(*np.array(rows).T)
