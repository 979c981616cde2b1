"""Weights of words: what is in every document tells nothing about any."""

import numpy as np
from scipy import sparse

from probml.text.features import CountFeatures
from probml.typing import Array, Indices, Matrix


class InverseDocumentFrequency(CountFeatures):
    """x_dn becomes x_dn log(m / m_n), for the m documents of the training part, m_n of them with word n.

    A word of every document gets weight 0. So does a word of none: like one that is not in the vocabulary it is passed
    over, since nothing is known about it.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).

    Attributes
    ----------
    document_frequency_ (n,) = m_n, idf_ (n,) = the weights
    """

    def _learn(self, X: Matrix) -> None:
        self.document_frequency_ = document_frequency(X)
        seen = self.document_frequency_ > 0
        self.idf_ = np.zeros(X.shape[1])
        self.idf_[seen] = np.log(X.shape[0]) - np.log(self.document_frequency_[seen])

    def _features(self, X: Matrix) -> Matrix:
        return weighted(X, self.idf_)


def document_frequency(X: Matrix) -> Indices:
    """In how many rows each column of X, shape (m, n), has an entry. Shape (n,)."""
    return np.bincount(sparse.csr_array(X > 0).indices, minlength=X.shape[1])


def weighted(X: Matrix, weights: Array) -> Matrix:
    """X, shape (m, n), with column n multiplied by weight n."""
    return X * weights if isinstance(X, np.ndarray) else sparse.csr_array(X.multiply(weights))
