"""Documents of equal weight: a long one counts no more than a short one."""

import numpy as np
from scipy import sparse

from probml.text.features import CountFeatures, Matrix


class UnitLength(CountFeatures):
    """x_d becomes x_d / |x_d|, with |x|² = sum_n x_n².

    A document without any word stays as it is: 0.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        if sparse.issparse(X):
            X = X.copy()  # what comes out has the indices of X: they are not to be those of the caller
        # Divided by the largest entry first: then no square over- or underflows.
        once = _divided(X, X.max(axis=1).toarray() if sparse.issparse(X) else X.max(axis=1))
        squares = once.multiply(once) if sparse.issparse(once) else once * once
        return _divided(once, np.sqrt(squares.sum(axis=1)))


def _divided(X: Matrix, by: np.ndarray) -> Matrix:
    """Each row divided by its number; rows with 0 stay. by : shape (m,)."""
    by = np.where(by > 0, by, 1.0)
    if not sparse.issparse(X):
        return X / by[:, None]
    return sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
