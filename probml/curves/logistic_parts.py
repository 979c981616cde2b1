"""Logistic regression of many training parts: coordinates for each of them, Newton's method, coefficients."""

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.logistic_newton import minimise, newton_logistic, ones_of
from probml.curves.parts import Array


def most_likely(X: Array, side: Array) -> tuple[Array, NDArray[np.bool_]]:
    """(w, b) of the largest likelihood, shape (B, n + 1), and which parts are completely separated by it.

    Of all w that are equally good, the shortest. X : shape (B, m, n). side : ±1, shape (B, m).
    """
    mean = means(X)
    Xc = X - mean[:, None]
    w, b, separable = _maxima(np.ascontiguousarray(X), Xc, Xc.transpose(0, 2, 1) @ Xc, side)
    return _from_centred(w, b, mean), separable


def least_penalised(X: Array, side: Array, l2: float) -> Array:
    """(w, b) at the minimum with the penalty l2/2 |w|², shape (B, n + 1), where that keeps all systems regular.

    X : shape (B, m, n). side : ±1, shape (B, m). With as many features as examples, or more, in the dual form, which
    has unknowns for examples instead of features.
    """
    B, m, n = X.shape
    mean = means(X)
    Xc = X - mean[:, None]
    if m <= n:
        alpha, b = _minima_of_examples(Xc @ Xc.transpose(0, 2, 1), side, l2)
        return _from_centred((alpha[:, None] @ Xc)[:, 0], b, mean)
    binary = ((X == 0) | (X == 1)).all(axis=(1, 2))
    mean[binary] = 0.0
    A = np.concatenate([np.where(binary[:, None, None], X, Xc), np.ones((B, m, 1))], axis=2)
    theta, _ = newton_logistic(A, side, np.tile(np.append(np.full(n, l2), 0.0), (B, 1)))
    return _from_centred(theta[:, :n], theta[:, n], mean)


def means(X: Array) -> Array:
    """Of each feature of each part, shape (B, n): for one that is constant, it, to the last bit."""
    return X[:, 0] + (X - X[:, :1]).mean(axis=1)


def _from_centred(w: Array, b: Array, mean: Array) -> Array:
    """(w, b), shape (B, n + 1), from w, shape (B, n), and b, shape (B,), of features less their means."""
    return np.column_stack([w, b - np.einsum("bn,bn->b", w, mean)])


@compiled
def _maxima(X: Array, Xc: Array, products: Array, side: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """w, shape (B, n), and b, shape (B,), of predictors Xc w + b, and which parts they separate.

    products : Xc^T Xc, which is R^T R, so that Xc is Q R with orthonormal columns Q. Predictors are Q u + b; but where
    X holds only 0 and 1, those of r independent columns of it, since then their ones are all that the Hessian needs.
    """
    B, m, n = X.shape
    w, b, separable = np.empty((B, n)), np.empty(B), np.empty(B, dtype=np.bool_)
    for part in range(B):
        R, columns = independent(products[part])
        rank = len(columns)
        triangle = _some_columns(R, columns)
        A = _columns_and_one(X[part], columns)
        ones = ones_of(A)
        binary = len(ones[0]) > 0
        if not binary:
            A = _columns_and_one(Xc[part], columns)
            for i in range(m):
                solve_transposed(triangle, A[i, :rank])
        theta = np.zeros(rank + 1)
        separable[part] = minimise(A, side[part], np.zeros(rank + 1), ones, theta)
        u, b[part] = theta[:rank], theta[rank]
        if binary:
            for j in range(rank):
                b[part] += u[j] * (X[part, 0, columns[j]] - Xc[part, 0, columns[j]])
            u = np.dot(triangle, u)
        _put_shortest(R, u, w[part])
    return w, b, separable


@compiled
def _minima_of_examples(products: Array, side: Array, l2: float) -> tuple[Array, Array]:
    """α, shape (B, m), and b, shape (B,), with w = sum_i α_i x_i.

    products : Xc Xc^T, which is R^T R. Predictors are R^T u + b with u = R α, and |w| is |u|.
    """
    B, m = side.shape
    alpha, b = np.zeros((B, m)), np.empty(B)
    for part in range(B):
        R, examples = independent(products[part])
        rank = len(examples)
        A, penalty, theta = np.ones((m, rank + 1)), np.full(rank + 1, l2), np.zeros(rank + 1)
        for j in range(rank):
            for i in range(m):
                A[i, j] = R[j, i]
        penalty[rank] = 0.0
        minimise(A, side[part], penalty, ones_of(A), theta)
        b[part] = theta[rank]
        solve_triangular(_some_columns(R, examples), theta[:rank])
        for j in range(rank):
            alpha[part, examples[j]] = theta[j]
    return alpha, b


@compiled
def _put_shortest(R: Array, u: Array, w: Array) -> None:
    """Puts the shortest w with R w = u, for R of shape (r, n), in its place: R^T (R R^T)^-1 u."""
    S = factor(np.dot(R, R.T))
    w[:] = 0.0
    for _ in range(2):  # once more for what rounding leaves
        rest = u - np.dot(R, w)
        solve_transposed(S, rest)
        solve_triangular(S, rest)
        w += np.dot(rest, R)


@compiled
def _some_columns(X: Array, columns: NDArray[np.intp]) -> Array:
    some = np.empty((len(X), len(columns)))
    for i in range(len(X)):
        for j in range(len(columns)):
            some[i, j] = X[i, columns[j]]
    return some


@compiled
def _columns_and_one(X: Array, columns: NDArray[np.intp]) -> Array:
    some = np.ones((len(X), len(columns) + 1))
    for i in range(len(X)):
        for j in range(len(columns)):
            some[i, j] = X[i, columns[j]]
    return some
