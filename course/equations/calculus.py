"""Derivatives by differences at 50 digits, and vectors as lists: what checks need of calculus and algebra."""

from collections.abc import Callable, Sequence

import mpmath


def dot(a: Sequence, b: Sequence) -> object:
    """a · b, for numbers of any kind."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def total(values: Sequence) -> object:
    """Sum of numbers of any kind, or of vectors of equal length."""
    values = list(values)
    if isinstance(values[0], list | tuple):
        return [sum(each) for each in zip(*values, strict=True)]
    return sum(values)


def derivative(f: Callable, at: object) -> object:
    """f'(at) by differences: numbers with more digits, an error below 1e-30 for smooth f of order 1."""
    return mpmath.diff(f, at)


def gradient(f: Callable, at: Sequence) -> list:
    """Partial derivatives of f, which takes a list, by differences."""
    return [mpmath.diff(lambda t, i=i: f([*at[:i], t, *at[i + 1 :]]), at[i]) for i in range(len(at))]


def hessian(f: Callable, at: Sequence) -> list[list]:
    """Second partial derivatives of f, which takes a list, by differences."""

    def at_point(i: int, j: int, s: object, t: object) -> object:
        point = list(at)
        point[i] += s
        point[j] += t
        return f(point)

    found = {
        (i, j): mpmath.diff(lambda s, t, i=i, j=j: at_point(i, j, s, t), (0, 0), (1, 1))
        for i in range(len(at))
        for j in range(i + 1)
    }
    return [[found[max(i, j), min(i, j)] for j in range(len(at))] for i in range(len(at))]


def vector(column: mpmath.matrix) -> list:
    """A column of mpmath as a list."""
    return [column[i] for i in range(column.rows)]


def table(matrix: mpmath.matrix) -> list[list]:
    """A matrix of mpmath as a list of rows."""
    return [[matrix[i, j] for j in range(matrix.cols)] for i in range(matrix.rows)]
