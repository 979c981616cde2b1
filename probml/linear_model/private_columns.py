"""Columns of a sparse matrix that only one row uses, such as words that occur in one document only."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PrivateColumns:
    """The private columns of a row pooled into one; under a penalty on |w|² nothing is lost.

    Row i sees its private columns P_i through x_P · w_P only. Of all w_P with the same product the penalty takes the
    shortest, which is parallel to x_P:

        w_P = v_i x_P / |x_P|,      x_P · w_P = v_i |x_P|,      |w_P|² = v_i²

    So one column with the single entry |x_P| and the weight v_i stands for all of P_i. Of the words and pairs of words
    in 25,000 reviews three in four are private.

    X : the shared columns, then one for each row that has private ones; CSR. Columns that no row uses have weight 0.
    The columns that most rows use come first, so that what products with X need most often lies together in memory.
    """

    X: sparse.csr_array
    n_features: int
    shared: NDArray[np.intp]
    private: NDArray[np.intp]
    pooled: NDArray[np.intp]  # for each private column: the column of X that stands for it
    share: Array  # and x / |x_P|

    @classmethod
    def of(cls, X: sparse.csr_array) -> Self:
        """For X, CSR, shape (m, n)."""
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        m, n = X.shape
        users = np.bincount(X.indices, minlength=n)
        alone = users == 1
        entries = np.flatnonzero(alone[X.indices])
        row = np.searchsorted(X.indptr, entries, side="right") - 1
        norm = np.sqrt(np.bincount(row, X.data[entries] ** 2, m))
        rows = np.flatnonzero(norm)
        entries, row = entries[norm[row] > 0], row[norm[row] > 0]
        shared = np.argsort(-users, kind="stable")[: np.count_nonzero(users > 1)]
        ends = np.searchsorted(rows, np.arange(m + 1)).astype(X.indptr.dtype)
        own = sparse.csr_array((norm[rows], np.arange(len(rows), dtype=X.indices.dtype), ends), shape=(m, len(rows)))
        together = sparse.hstack([X[:, shared], own], format="csr")
        together.sort_indices()
        pooled = len(shared) + np.searchsorted(rows, row)
        share = X.data[entries] / norm[row]
        return cls(together, n, shared, X.indices[entries], pooled, share)

    def back(self, w: Array) -> Array:
        """The weights of the n columns, from those of the columns of `X`."""
        out = np.zeros(self.n_features)
        out[self.shared] = w[: len(self.shared)]
        out[self.private] = self.share * w[self.pooled]
        return out
