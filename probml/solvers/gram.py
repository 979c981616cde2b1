"""The products of all rows of a sparse matrix with each other."""

import numpy as np
from scipy import sparse

from probml.typing import Array

DENSE_SHARE = 1 / 16  # of the rows: columns that so many use are multiplied as a dense matrix


def gram(X: sparse.csr_array) -> Array:
    """X X^T, shape (m, m), for X of shape (m, n).

    A column with k entries costs k² products of numbers one by one, m² in a dense matrix: by then in blocks that stay
    in the cache, and so the few columns that most rows use go there.
    """
    m, n = X.shape
    often = np.bincount(X.indices, minlength=n) > DENSE_SHARE * m
    dense, rest = X[:, np.flatnonzero(often)].toarray(), X[:, np.flatnonzero(~often)]
    products: Array = dense @ dense.T + (rest @ rest.T).toarray()
    return products
