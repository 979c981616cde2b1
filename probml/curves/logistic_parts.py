"""Logistic regression of many training parts: coordinates for each of them, Newton's method, coefficients."""

import numpy as np

from probml.compiled import compiled
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.logistic_newton import Ones, minimise, ones_of
from probml.typing import Array, Indices, Mask

Coordinates = tuple[Array, Array, Array, Array, Indices, bool]


def most_likely(X: Array, side: Array, which: Indices) -> tuple[Array, Mask]:
    """(w, b) of the largest likelihood, shape (b, n + 1), for the parts `which`, and whether they separate them.

    Of all w that are equally good, the shortest. X : shape (B, m, n). side : ±1, shape (B, m). With as many features
    as examples or more, in the dual form: unknowns are of examples instead of features.
    """
    _, m, n = X.shape
    theta, separable = np.empty((len(which), n + 1)), np.empty(len(which), dtype=bool)
    for k, part in enumerate(which):
        if m > n:
            features = _coordinates(X[part])
            found, separable[k] = _minimum(features[0], side[part], 0.0)
            _put_shortest(features, found, theta[k])
        else:
            examples = _examples(X[part])
            found, separable[k] = _minimum(examples[0], side[part], 0.0)
            _put_of_examples(examples, found, theta[k])
    return theta, separable


def least_penalised(X: Array, side: Array, which: Indices, l2: float) -> Array:
    """(w, b) at the minimum with the penalty l2/2 |w|², shape (b, n + 1), where that keeps all systems regular.

    The dual form is that of `most_likely`.
    """
    _, m, n = X.shape
    theta = np.empty((len(which), n + 1))
    for k, part in enumerate(which):
        if m > n:
            A, subtracted = _features(X[part])
            found, _ = _minimum(A, side[part], l2)
            _put(found[:-1], found[-1], subtracted, theta[k])
        else:
            examples = _examples(X[part])
            found, _ = _minimum(examples[0], side[part], l2)
            _put_of_examples(examples, found, theta[k])
    return theta


def _minimum(A: Array, side: Array, l2: float) -> tuple[Array, bool]:
    """Coefficients of A, the last of them without a penalty, and whether they separate all examples."""
    found = np.zeros(A.shape[1])
    penalty = np.append(np.full(len(found) - 1, l2), 0.0)
    separates = minimise(A, side, penalty, ones_of(A), found)
    return found, separates


@compiled
def _coordinates(X: Array) -> Coordinates:
    """A, of which Newton's method finds the coefficients; mean, shape (n,); R, shape (r, n); triangle, shape (r, r).

    Xc, which is X less the means, is Q R with orthonormal columns Q, since Xc^T Xc is R^T R. r columns of R are a
    triangle, and those of X independent. A is (Q, 1); but where X holds only 0 and 1, (r columns of X, 1), since then
    ones are all that a Hessian needs.
    """
    mean, ones = _means(X), ones_of(X)
    binary = len(ones[0]) > 0
    Xc = _less(X, mean)
    R, columns = independent(_products_of_ones(ones, len(X) * mean, len(X)) if binary else np.dot(Xc.T, Xc))
    triangle = _some_columns(R, columns, 0)
    A = _some_columns(X if binary else Xc, columns, 1)
    if not binary:
        for i in range(len(A)):
            solve_transposed(triangle, A[i, : len(columns)])
    return A, mean, R, triangle, columns, binary


@compiled
def _put_shortest(coordinates: Coordinates, found: Array, theta: Array) -> None:
    """Puts the shortest w, and b, into θ, shape (n + 1,), from the coefficients of A that were found."""
    _, mean, R, triangle, columns, binary = coordinates
    rank = len(columns)
    u, b = found[:rank], found[rank]
    if binary:
        for j in range(rank):
            b += u[j] * mean[columns[j]]
        u = np.dot(triangle, u)
    _put(_shortest(R, u), b, mean, theta)


@compiled
def _features(X: Array) -> tuple[Array, Array]:
    """A, which is (Xc, 1) or, where X holds only 0 and 1, (X, 1); and what was subtracted, shape (n,)."""
    mean = _means(X)
    if len(ones_of(X)[0]):
        mean[:] = 0.0
    return _some_columns(_less(X, mean), np.arange(len(mean)), 1), mean


@compiled
def _examples(X: Array) -> tuple[Array, Array, Array, Array, Indices]:
    """A, which is (R^T, 1), mean, Xc, a triangle of r columns of R, and the examples that these columns belong to.

    w is sum_i α_i x_i, and Xc Xc^T is R^T R. So predictors are R^T u + b with u = R α, and |w| is |u|.
    """
    mean = _means(X)
    Xc = _less(X, mean)
    R, examples = independent(np.dot(Xc, Xc.T))
    A = np.ones((len(X), len(R) + 1))
    for j in range(len(R)):
        for i in range(len(X)):
            A[i, j] = R[j, i]
    return A, mean, Xc, _some_columns(R, examples, 0), examples


@compiled
def _put_of_examples(coordinates: tuple[Array, Array, Array, Array, Indices], found: Array, theta: Array) -> None:
    """Puts w and b into θ, shape (n + 1,), from the u and b that were found: α is 0 but for the r examples."""
    _, mean, Xc, triangle, examples = coordinates
    solve_triangular(triangle, found[:-1])
    alpha = np.zeros(len(Xc))
    for j in range(len(examples)):
        alpha[examples[j]] = found[j]
    _put(np.dot(alpha, Xc), found[-1], mean, theta)


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
def _some_columns(X: Array, columns: Indices, ones: int) -> Array:
    """Of X, shape (m, n), and so many columns of ones behind them."""
    some = np.ones((len(X), len(columns) + ones))
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
