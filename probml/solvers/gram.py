"""The products of all rows of a sparse matrix with each other."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]
OFTEN = 1 / 16  # of the rows: columns that so many use are multiplied as a dense matrix


def gram(X: sparse.csr_array) -> Array:
    """X X^T, shape (m, m), for X of shape (m, n).

    A column with k entries costs k² products of numbers one by one, m² in a dense matrix: by then in blocks that stay
    in the cache, and so the few columns that most rows use go there.
    """
    m, n = X.shape
    often = np.bincount(X.indices, minlength=n) > OFTEN * m
    dense, rest = X[:, np.flatnonzero(often)].toarray(), X[:, np.flatnonzero(~often)]
    return dense @ dense.T + (rest @ rest.T).toarray()
