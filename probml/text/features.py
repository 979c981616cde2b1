"""From counts of words to features: weights of words and lengths of documents."""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_non_negative

from probml.inputs import examples, handed_out, parameters, precision_of
from probml.typing import Array, Indices, Matrix

NORMS = {"l1": 1, "l2": 2}


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
        return handed_out(features, precision_of(X))

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
        self.document_frequency_ = _document_frequency(X)
        seen = self.document_frequency_ > 0
        self.idf_ = np.zeros(X.shape[1])
        self.idf_[seen] = np.log(X.shape[0]) - np.log(self.document_frequency_[seen])

    def _features(self, X: Matrix) -> Matrix:
        return _weighted(X, self.idf_)


class UnitLength(CountFeatures):
    """x_d becomes x_d / |x_d|, with |x|² = sum_n x_n²: a long document counts no more than a short one.

    A document without any word stays as it is: 0.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        return _of_unit_norm(X, 2)


@parameters
class TfidfTransformer(CountFeatures):
    r"""x_dn becomes tf(x_dn) idf_n, and each document is divided by its norm.

    .. math::
        \mathrm{idf}_n = 1 + \log \frac{m + 1}{m_n + 1}

    for the m documents of the training part, m_n of them with word n: as if one more document had every word. Without
    `smooth_idf` it is 1 + log(m / m_n), and 0 for a word of no document. tf(x) = x, or 1 + log x for x > 0 if
    `sublinear_tf`; tf(0) = 0.

    The features are those of scikit-learn's TfidfTransformer; a dense X gives dense ones, and X is never changed.
    `InverseDocumentFrequency`, `LogCounts` and `UnitLength` are the same steps in the form of Rennie et al.:
    log(m / m_n) and log(1 + x), so that a word of every document has weight 0.

    X : counts, or features made of them, not negative, dense or CSR, shape (m, n).

    Parameters
    ----------
    norm : "l2", |x|² = sum_n x_n²; "l1", |x| = sum_n |x_n|; or None, not to divide.
    use_idf : whether words are weighted at all.
    smooth_idf, sublinear_tf : as above.

    Attributes
    ----------
    idf_ (n,) = the weights, if `use_idf`
    """

    norm: str | None = "l2"
    use_idf: bool = True
    smooth_idf: bool = True
    sublinear_tf: bool = False

    def _learn(self, X: Matrix) -> None:
        if self.norm is not None and self.norm not in NORMS:
            raise ValueError(f"norm must be 'l1', 'l2' or None, received {self.norm!r}")
        self.__dict__.pop("idf_", None)  # of an earlier fit
        if self.use_idf:
            m, m_n = X.shape[0] + self.smooth_idf, _document_frequency(X) + self.smooth_idf
            self.idf_ = np.zeros(len(m_n))
            self.idf_[m_n > 0] = 1 + np.log(m / m_n[m_n > 0])

    def _features(self, X: Matrix) -> Matrix:
        if self.sublinear_tf:
            X = _sublinear(X)
        if self.use_idf:
            X = _weighted(X, self.idf_)
        return X.copy() if self.norm is None else _of_unit_norm(X, NORMS[self.norm])


def _document_frequency(X: Matrix) -> Indices:
    """In how many rows each column of X, shape (m, n), has an entry. Shape (n,)."""
    return np.bincount(sparse.csr_array(X > 0).indices, minlength=X.shape[1])


def _weighted(X: Matrix, weights: Array) -> Matrix:
    """X, shape (m, n), with column n multiplied by weight n."""
    return X * weights if isinstance(X, np.ndarray) else sparse.csr_array(X.multiply(weights))


def _sublinear(X: Matrix) -> Matrix:
    if not isinstance(X, np.ndarray):
        return sparse.csr_array((_sublinear(X.data), X.indices, X.indptr), shape=X.shape)
    return np.where(X > 0, 1 + np.log(X, where=X > 0, out=np.zeros_like(X)), 0.0)


def _of_unit_norm(X: Matrix, p: int) -> Matrix:
    """Rows divided by (sum_n |x_n|^p)^(1/p), p = 1 or 2: first by their largest entries, so that no sum overflows."""
    largest = abs(X).max(axis=1)
    once = _divided(X, largest if isinstance(X, np.ndarray) else largest.toarray())
    return _divided(once, abs(once).sum(axis=1) if p == 1 else np.sqrt((once**2).sum(axis=1)))


def _divided(X: Matrix, by: Array) -> Matrix:
    """Each row divided by its number; rows with 0 stay. by : shape (m,)."""
    by = np.where(by > 0, by, 1.0)
    if isinstance(X, np.ndarray):
        return X / by[:, None]
    return sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
