"""The minimum of logistic regression of a small subset, compiled: coordinates for it, Newton's method, coefficients."""

import numpy as np

from probml.compiled import compiled
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.logistic_newton import dual_minimum, minimise, ones_of
from probml.typing import Array, Indices, Mask


@compiled
def minima(X: Array, side: Array, which: Indices, l2: float) -> tuple[Array, Mask]:
    """`minimum` of the training subsets `which`: shapes (b, n + 1) and (b,)."""
    theta, separates = np.empty((len(which), X.shape[2] + 1)), np.empty(len(which), dtype=np.bool_)
    for k, subset in enumerate(which):
        theta[k], separates[k] = minimum(X[subset], side[subset], l2)
    return theta, separates


@compiled
def minimum(X: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """(w, b) at the minimum of loss + l2/2 |w|², shape (n + 1,), and whether they separate all examples.

    X : shape (m, n). side : +1 or -1, shape (m,). Of all w that are equally good, the shortest. There is an unknown for
    each example, if these are not more than the features; or for each feature, under a penalty; or for each
    independent one.
    """
    m, n = X.shape
    mean = np.zeros(n)
    for j in range(n):
        for i in range(m):
            mean[j] += X[i, j] - X[0, j]
        mean[j] = X[0, j] + mean[j] / m  # of a column that is constant, that constant, to the last bit
    if m <= n:
        return _by_examples(X, mean, side, l2)
    return _by_features(X, mean, side, l2) if l2 > 0 else _by_independent(X, mean, side)


@compiled
def _by_examples(X: Array, mean: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """The dual form: w is Xc^T α, for Xc = X - mean.

    Without a penalty Xc Xc^T = R^T R gives orthonormal coordinates u = R α, in which |w| is |u|.
    """
    Xc = X - mean
    products = np.dot(Xc, Xc.T)
    if l2 > 0:
        alpha, b = dual_minimum(products, side, l2)
        return _of_raw(np.dot(alpha, Xc), b, mean), False
    R, examples = independent(products)
    found, separates = _maximum(_columns(R.T, np.arange(len(R)), 1), side)
    solve_triangular(_columns(R, examples, 0), found[:-1])
    alpha = np.zeros(len(X))
    for j in range(len(examples)):
        alpha[examples[j]] = found[j]
    return _of_raw(np.dot(alpha, Xc), found[-1], mean), separates


@compiled
def _by_features(X: Array, mean: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """Of X less the means; or of X itself where it holds only 0 and 1, since ones are all a Hessian needs then."""
    n = X.shape[1]
    A, penalty, theta = _columns(X, np.arange(n), 1), np.full(n + 1, l2), np.zeros(n + 1)
    ones, penalty[n] = ones_of(A), 0.0
    binary = len(ones[0]) > 0
    if not binary:
        A[:, :n] -= mean
    minimise(A, side, penalty, theta, ones)
    return theta if binary else _of_raw(theta[:n], theta[-1], mean), False


@compiled
def _by_independent(X: Array, mean: Array, side: Array) -> tuple[Array, bool]:
    """Of orthonormal columns Q, Xc = Q R; or of independent columns of X, where it holds only 0 and 1."""
    Xc, ones = X - mean, ones_of(X)
    binary = len(ones[0]) > 0
    R, columns = independent(_products_of_ones(ones, len(X) * mean, len(X)) if binary else np.dot(Xc.T, Xc))
    triangle, A = _columns(R, columns, 0), _columns(X if binary else Xc, columns, 1)
    if not binary:
        for i in range(len(X)):
            solve_transposed(triangle, A[i, :-1])
    found, separates = _maximum(A, side)
    u = found[:-1]
    if binary:
        for j in range(len(u)):
            found[-1] += u[j] * mean[columns[j]]
        u = np.dot(triangle, u)
    return _of_raw(_shortest(R, u), found[-1], mean), separates


@compiled
def _maximum(A: Array, side: Array) -> tuple[Array, bool]:
    """Coefficients of the columns of A without a penalty, and whether they separate all examples."""
    found = np.zeros(A.shape[1])
    separates = minimise(A, side, np.zeros(len(found)), found, ones_of(A))
    return found, separates


@compiled
def _of_raw(w: Array, b: float, mean: Array) -> Array:
    """(w, b) for X from that for X - mean."""
    theta = np.append(w, b)
    for j in range(len(w)):
        theta[-1] -= w[j] * mean[j]
    return theta


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
