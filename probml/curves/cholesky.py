"""Cholesky factors of small matrices: M = R^T R. Rows are worked on one after the other, as they lie in memory."""

import numpy as np

from probml.compiled import compiled
from probml.errors import ParameterError
from probml.typing import Array, Indices

RANK = 1e-12  # share of a column's square, or of the largest singular value's, below which what is left is rounding


@compiled
def factor(M: Array) -> Array:
    """R, upper triangular, for M of shape (p, p), positive definite, of which the lower triangle is read."""
    return np.asarray(np.linalg.cholesky(M), dtype=np.float64).T


@compiled
def solve_transposed(R: Array, x: Array) -> None:
    """Puts R^-T x in the place of x, shape (p,)."""
    for j in range(len(x)):
        row = R[j]
        x[j] /= row[j]
        for k in range(j + 1, len(x)):
            x[k] -= x[j] * row[k]


@compiled
def solve_triangular(R: Array, x: Array) -> None:
    """Puts R^-1 x in the place of x, shape (p,)."""
    for j in range(len(x) - 1, -1, -1):
        row = R[j]
        rest = x[j]
        for k in range(j + 1, len(x)):
            rest -= row[k] * x[k]
        x[j] = rest / row[j]


@compiled
def independent(M: Array) -> tuple[Array, Indices]:
    """R, shape (r, p), with M = R^T R, for M of shape (p, p) and rank r; and r columns that are independent.

    In the order given, these columns of R are upper triangular. The next one is that of which most is left.
    """
    p = len(M)
    R, left, columns = np.zeros((p, p)), np.empty(p), np.empty(p, dtype=np.intp)
    for k in range(p):
        left[k] = M[k, k]
        if not np.isfinite(left[k]):
            raise ParameterError("squares of features are too large for a floating-point number: scale the features")
    for rank in range(p):
        pivot = left.argmax()
        if left[pivot] <= 0:
            return R[:rank], columns[:rank]
        root, row = np.sqrt(left[pivot]), R[rank]
        row[:] = M[pivot]
        for above in range(rank):
            factor = R[above, pivot]
            for k in range(p):
                row[k] -= factor * R[above, k]
        for taken in columns[:rank]:  # what rounding leaves of them
            row[taken] = 0.0
        columns[rank] = pivot
        for k in range(p):
            row[k] /= root
            left[k] -= row[k] ** 2
            if left[k] <= RANK * M[k, k]:
                left[k] = 0.0
        for taken in columns[: rank + 1]:
            left[taken] = 0.0
    return R, columns
