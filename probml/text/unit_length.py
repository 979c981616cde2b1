"""Documents of equal weight: a long one counts no more than a short one."""

import numpy as np
from scipy import sparse

from probml.text.features import CountFeatures
from probml.typing import Matrix


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
    squares = once.multiply(once) if sparse.issparse(once) else once * once
    return divided(once, np.sqrt(squares.sum(axis=1)))


def of_largest_one(X: Matrix) -> Matrix:
    """Rows divided by their largest entries, shape (m, n): then no sum and no square of theirs over- or underflows."""
    largest = abs(X).max(axis=1)
    return divided(X, largest.toarray() if sparse.issparse(X) else largest)


def divided(X: Matrix, by: np.ndarray) -> Matrix:
    """Each row divided by its number; rows with 0 stay. by : shape (m,)."""
    by = np.where(by > 0, by, 1.0)
    if not sparse.issparse(X):
        return X / by[:, None]
    return sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
