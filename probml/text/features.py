"""From counts of words to features: weights of words and lengths of documents.

In the form of Rennie et al., where a word of every document has weight 0; scikit-learn's TfidfTransformer adds 1.
"""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_non_negative

from probml.inputs import examples, in_precision, precision_of
from probml.typing import Array, Matrix


class CountFeatures(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """From counts, or anything that is not negative, to features of the same shape; zeros stay zeros.

    X : dense or CSR, shape (m, n). A sparse X gives a CSR array.
    """

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Learn what has to be learned from X, shape (m, n)."""
        self._learn(self._valid(X, reset=True))
        return self

    def transform(self, X: Matrix) -> Matrix:
        """The features. Shape (m, n)."""
        check_is_fitted(self)
        counts = self._valid(X, reset=False)
        # Features stand at the indices of the counts, which are not to be those of the caller.
        features = self._features(counts.copy() if sparse.issparse(counts) else counts)
        return in_precision(features, precision_of(X))

    def _learn(self, X: Matrix) -> None:
        """Most transformations have nothing to learn."""

    @abstractmethod
    def _features(self, X: Matrix) -> Matrix:
        """The features of a valid X, which may not be changed."""

    def _valid(self, X: Matrix, reset: bool) -> Matrix:
        X = examples(self, X, reset=reset, accept_sparse="csr", dtype=np.float64)
        check_non_negative(X, f"{type(self).__name__} (input X are counts)")
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class LogCounts(CountFeatures):
    """x_dn becomes log(1 + x_dn): the tenth occurrence of a word tells less than the first.

    X : counts, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        return np.log1p(X) if isinstance(X, np.ndarray) else X.log1p()


class InverseDocumentFrequency(CountFeatures):
    """x_dn becomes x_dn log(m / m_n), for the m documents of the training part, m_n of them with word n.

    A word of every document, which tells nothing about any, gets weight 0. So does a word of none: like one that is not
    in the vocabulary it is passed over, since nothing is known about it.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).

    Attributes
    ----------
    document_frequency_ (n,) = m_n, idf_ (n,) = the weights
    """

    def _learn(self, X: Matrix) -> None:
        self.document_frequency_ = np.bincount(sparse.csr_array(X > 0).indices, minlength=X.shape[1])
        seen = self.document_frequency_ > 0
        self.idf_ = np.zeros(X.shape[1])
        self.idf_[seen] = np.log(X.shape[0]) - np.log(self.document_frequency_[seen])

    def _features(self, X: Matrix) -> Matrix:
        return X * self.idf_ if isinstance(X, np.ndarray) else sparse.csr_array(X.multiply(self.idf_))


class UnitLength(CountFeatures):
    """x_d becomes x_d / |x_d|, with |x|² = sum_n x_n²: a long document counts no more than a short one.

    A document without any word stays as it is: 0.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        largest = abs(X).max(axis=1)  # first divided by this, so that no square overflows
        once = _divided(X, largest if isinstance(X, np.ndarray) else largest.toarray())
        return _divided(once, np.sqrt((once**2).sum(axis=1)))


def _divided(X: Matrix, by: Array) -> Matrix:
    """Each row divided by its number; rows with 0 stay. by : shape (m,)."""
    by = np.where(by > 0, by, 1.0)
    if isinstance(X, np.ndarray):
        return X / by[:, None]
    return sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
