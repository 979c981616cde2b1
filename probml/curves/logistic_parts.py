"""Logistic regression of many training parts: coordinates for each of them, Newton's method, coefficients."""

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.logistic_newton import Ones, minimise, ones_of
from probml.curves.parts import Array


def most_likely(X: Array, side: Array, which: NDArray[np.intp]) -> tuple[Array, NDArray[np.bool_]]:
    """(w, b) of the largest likelihood, shape (b, n + 1), for the parts `which`, and whether they separate them.

    Of all w that are equally good, the shortest. X : shape (B, m, n). side : ±1, shape (B, m).
    """
    theta, separable = np.empty((len(which), X.shape[2] + 1)), np.empty(len(which), dtype=np.bool_)
    for k, part in enumerate(which):
        separable[k] = _put_most_likely(X[part], side[part], theta[k])
    return theta, separable


def least_penalised(X: Array, side: Array, which: NDArray[np.intp], l2: float) -> Array:
    """(w, b) at the minimum with the penalty l2/2 |w|², shape (b, n + 1), where that keeps all systems regular."""
    _, m, n = X.shape
    put = _put_least_penalised if m > n else _put_least_penalised_by_examples
    theta = np.zeros((len(which), n + 1))
    for k, part in enumerate(which):
        put(X[part], side[part], l2, theta[k])
    return theta


@compiled
def _put_most_likely(X: Array, side: Array, theta: Array) -> bool:
    """Puts (w, b) of X, shape (m, n), into θ, shape (n + 1,); whether it separates all examples.

    Xc, which is X less the means, is Q R with orthonormal columns Q, since Xc^T Xc is R^T R. Predictors are Q u + b;
    but where X holds only 0 and 1, those of r independent columns of X, since then ones are all that a Hessian needs.
    """
    mean, ones = _means(X), ones_of(X)
    binary = len(ones[0]) > 0
    Xc = _less(X, mean)
    R, columns = independent(_products_of_ones(ones, len(X) * mean, len(X)) if binary else np.dot(Xc.T, Xc))
    rank = len(columns)
    triangle = _with_column_of_ones(R, columns)[:, :rank].copy()
    A = _with_column_of_ones(X if binary else Xc, columns)
    if not binary:
        for i in range(len(A)):
            solve_transposed(triangle, A[i, :rank])
    found = np.zeros(rank + 1)
    separable = minimise(A, side, np.zeros(rank + 1), ones_of(A), found)
    u, b = found[:rank], found[rank]
    if binary:
        for j in range(rank):
            b += u[j] * mean[columns[j]]
        u = np.dot(triangle, u)
    w = _shortest(R, u)
    _put(w, b, mean, theta)
    return separable


@compiled
def _put_least_penalised(X: Array, side: Array, l2: float, theta: Array) -> None:
    """Puts (w, b) of X, shape (m, n), into θ, shape (n + 1,), which is 0."""
    every, penalty = np.arange(X.shape[1]), np.full(len(theta), l2)
    penalty[-1] = 0.0
    mean = _means(X)
    A = _with_column_of_ones(X, every)
    ones = ones_of(A)
    binary = len(ones[0]) > 0
    if not binary:
        A = _with_column_of_ones(_less(X, mean), every)
    minimise(A, side, penalty, ones, theta)
    if not binary:
        theta[-1] -= np.dot(theta[:-1], mean)


@compiled
def _put_least_penalised_by_examples(X: Array, side: Array, l2: float, theta: Array) -> None:
    """The same in the dual form, with unknowns for examples instead of features: w is sum_i α_i x_i.

    Xc Xc^T is R^T R. So predictors are R^T u + b with u = R α, and |w| is |u|.
    """
    mean = _means(X)
    Xc = _less(X, mean)
    R, examples = independent(np.dot(Xc, Xc.T))
    rank = len(examples)
    penalty, found = np.full(rank + 1, l2), np.zeros(rank + 1)
    penalty[rank] = 0.0
    A = np.ones((len(X), rank + 1))
    for j in range(rank):
        for i in range(len(X)):
            A[i, j] = R[j, i]
    minimise(A, side, penalty, ones_of(A), found)
    solve_triangular(_with_column_of_ones(R, examples), found[:rank])
    alpha = np.zeros(len(X))
    for j in range(rank):
        alpha[examples[j]] = found[j]
    _put(np.dot(alpha, Xc), found[rank], mean, theta)


@compiled
def _put(w: Array, b: float, mean: Array, theta: Array) -> None:
    """Puts (w, b) of the features as they are into θ, from those of features less their means."""
    for j in range(len(w)):
        theta[j] = w[j]
        b -= w[j] * mean[j]
    theta[-1] = b


@compiled
def _means(X: Array) -> Array:
    """Of each column of X, shape (m, n): of one that is constant, that constant, to the last bit."""
    total = np.zeros(X.shape[1])
    for i in range(len(X)):
        for j in range(len(total)):
            total[j] += X[i, j] - X[0, j]
    for j in range(len(total)):
        total[j] = X[0, j] + total[j] / len(X)
    return total


@compiled
def _less(X: Array, mean: Array) -> Array:
    Xc = np.empty(X.shape)
    for i in range(len(X)):
        for j in range(len(mean)):
            Xc[i, j] = X[i, j] - mean[j]
    return Xc


@compiled
def _products_of_ones(ones: Ones, number: Array, m: int) -> Array:
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
def _with_column_of_ones(X: Array, columns: NDArray[np.intp]) -> Array:
    """Some columns of X, shape (m, n), and one of ones behind them."""
    some = np.ones((len(X), len(columns) + 1))
    for i in range(len(X)):
        for j in range(len(columns)):
            some[i, j] = X[i, columns[j]]
    return some


@compiled
def _shortest(R: Array, u: Array) -> Array:
    """The shortest w with R w = u, for R of shape (r, n): R^T (R R^T)^-1 u, and once more for what rounding leaves."""
    S = factor(np.dot(R, R.T))
    w = np.zeros(R.shape[1])
    for _ in range(2):
        rest = np.dot(R, w)
        for j in range(len(rest)):
            rest[j] = u[j] - rest[j]
        solve_transposed(S, rest)
        solve_triangular(S, rest)
        more = np.dot(rest, R)
        for j in range(len(w)):
            w[j] += more[j]
    return w
