"""Documents of equal weight: a long one counts no more than a short one."""

import numpy as np
from scipy import sparse

from probml.text.features import CountFeatures
from probml.typing import Array, Matrix


class UnitLength(CountFeatures):
    """x_d becomes x_d / |x_d|, with |x|² = sum_n x_n².

    A document without any word stays as it is: 0.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        return of_unit_length(X)


def of_unit_length(X: Matrix) -> Matrix:
    """Rows divided by their lengths, shape (m, n)."""
    once = of_largest_one(X)
    squares = once * once if isinstance(once, np.ndarray) else once.multiply(once)
    return divided(once, np.sqrt(squares.sum(axis=1)))


def of_largest_one(X: Matrix) -> Matrix:
    """Rows divided by their largest entries, shape (m, n): then no sum and no square of theirs over- or underflows."""
    largest = abs(X).max(axis=1)
    return divided(X, largest if isinstance(X, np.ndarray) else largest.toarray())


def divided(X: Matrix, by: Array) -> Matrix:
    """Each row divided by its number; rows with 0 stay. by : shape (m,)."""
    by = np.where(by > 0, by, 1.0)
    if isinstance(X, np.ndarray):
        return X / by[:, None]
    return sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
