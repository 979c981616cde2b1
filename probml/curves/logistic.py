"""Logistic regression for a batch of training parts: coordinates for each of them, Newton's method, coefficients."""

from dataclasses import dataclass

import numpy as np

from probml.compiled import compiled
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.likelihood import Likelihood
from probml.curves.logistic_newton import minimise, ones_of
from probml.curves.parts import Parts
from probml.curves.row_space import RowSpace, with_one
from probml.errors import ParameterError
from probml.typing import Array, Indices, Mask


@dataclass(frozen=True)
class LogisticRegression(Likelihood):
    """p(second of two classes | x) = 1 / (1 + e^-(w · x + b)): `probml.linear_model.LogisticRegression` of many parts.

    For arguments see `Likelihood`.
    """

    def check(self, X: Array, K: int) -> None:
        """Two classes, and features of comparable scales."""
        if K != 2:
            raise ParameterError(f"LogisticRegression is for two classes, y has {K}: use SoftmaxRegression")
        super().check(X, K)

    def _contrasts(self, K: int) -> Array:
        return np.ones((1, 1))

    def _margins(self, A: Array, y: Indices, K: int) -> Array:
        return _sides(y)[:, :, None] * A

    def _minima(self, parts: Parts, which: Indices, l2: float) -> tuple[Array, Mask]:
        theta, separable = np.empty((len(which), parts.X.shape[2] + 1)), np.empty(len(which), dtype=bool)
        side = _sides(parts.y)
        for k, part in enumerate(which):
            theta[k], separable[k] = minimum(parts.X[part], side[part], l2)
        return theta, separable

    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        A, side, penalty = with_one(space.Z), _sides(parts.y[space.which]), space.penalty(l2)
        theta, separable = np.zeros(penalty.shape), np.empty(len(A), dtype=bool)
        for k in range(len(A)):
            separable[k] = minimise(A[k], side[k], penalty[k], theta[k])
        return theta, separable


def _sides(y: Indices) -> Array:
    """+1 for the second class, -1 for the first."""
    return 2.0 * y.astype(np.float64) - 1


@compiled
def minimum(X: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """(w, b) at the minimum of loss + l2/2 |w|², shape (n + 1,), and whether they separate all examples of a part.

    X : shape (m, n). side : +1 or -1, shape (m,). Of all w that are equally good, the shortest. With Xc for X less the
    means, coefficients are found of these columns, and of one more of ones:

        R^T, if m ≤ n     with Xc Xc^T = R^T R: w is Xc^T α, u = R α, and |w| is |u| (the dual form);
        Xc, with a penalty;
        Q, without        orthonormal ones, Xc = Q R; or those of X that are independent.

    Where X holds only 0 and 1 it takes the place of Xc, and its columns that of Q: ones are all a Hessian needs then.
    """
    m, n = X.shape
    mean, ones = np.zeros(n), ones_of(X)
    for j in range(n):
        for i in range(m):
            mean[j] += X[i, j] - X[0, j]
        mean[j] = X[0, j] + mean[j] / m  # of a column that is constant, that constant, to the last bit
    Xc, binary, theta = X - mean, len(ones[0]) > 0, np.zeros(n + 1)
    if m <= n:
        R, examples = independent(np.dot(Xc, Xc.T))
        found, separates = _coefficients(_columns(R.T, np.arange(len(R)), 1), side, l2)
        solve_triangular(_columns(R, examples, 0), found[:-1])
        alpha = np.zeros(m)
        for j in range(len(examples)):
            alpha[examples[j]] = found[j]
        theta[:n] = np.dot(alpha, Xc)
    elif l2 > 0:
        found, separates = _coefficients(_columns(X if binary else Xc, np.arange(n), 1), side, l2)
        if binary:
            return found, separates
        theta[:n] = found[:n]
    else:
        R, columns = independent(_products_of_ones(ones, m * mean, m) if binary else np.dot(Xc.T, Xc))
        triangle, A = _columns(R, columns, 0), _columns(X if binary else Xc, columns, 1)
        if not binary:
            for i in range(m):
                solve_transposed(triangle, A[i, :-1])
        found, separates = _coefficients(A, side, l2)
        u = found[:-1]
        if binary:
            for j in range(len(u)):
                found[-1] += u[j] * mean[columns[j]]
            u = np.dot(triangle, u)
        theta[:n] = _shortest(R, u)
    theta[n] = found[-1]
    for j in range(n):
        theta[n] -= theta[j] * mean[j]
    return theta, separates


@compiled
def _coefficients(A: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """Of the columns of A, the last of them without a penalty; and whether they separate all examples."""
    found, penalty = np.zeros(A.shape[1]), np.full(A.shape[1], l2)
    penalty[-1] = 0.0
    separates = minimise(A, side, penalty, found)
    return found, separates


@compiled
def _columns(X: Array, columns: Indices, ones: int) -> Array:
    """Some columns of X, and so many columns of ones behind them."""
    some = np.ones((len(X), len(columns) + ones))
    for i in range(len(X)):
        for j in range(len(columns)):
            some[i, j] = X[i, columns[j]]
    return some


@compiled
def _products_of_ones(ones: tuple[Indices, Indices], number: Array, m: int) -> Array:
    """Xc^T Xc, shape (n, n), for m rows of 0s and 1s with so many ones in each column, shape (n,)."""
    start, columns = ones
    n = len(number)
    products = np.empty((n, n))
    for j in range(n):
        for k in range(n):
            products[j, k] = -number[j] * number[k] / m
    for i in range(m):
        for one in range(start[i], start[i + 1]):
            row = products[columns[one]]
            for other in range(start[i], start[i + 1]):
                row[columns[other]] += 1
    return products


@compiled
def _shortest(R: Array, u: Array) -> Array:
    """The shortest w with R w = u, for R of shape (r, n): R^T (R R^T)^-1 u, and once more for what rounding leaves."""
    S, w = factor(np.dot(R, R.T)), np.zeros(R.shape[1])
    for _ in range(2):
        rest = u - np.dot(R, w)
        solve_transposed(S, rest)
        solve_triangular(S, rest)
        w += np.dot(rest, R)
    return w
