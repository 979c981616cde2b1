"""Term frequency times inverse document frequency, as scikit-learn defines it."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from probml.inputs import parameters
from probml.text.features import CountFeatures
from probml.text.inverse_document_frequency import document_frequency, weighted
from probml.text.unit_length import divided, of_largest_one, of_unit_length
from probml.typing import Array, Indices, Matrix


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
        if self.norm not in NORMS:
            raise ValueError(f"norm must be 'l1', 'l2' or None, received {self.norm!r}")
        if self.use_idf:
            self.idf_ = idf(document_frequency(X), X.shape[0], smooth=self.smooth_idf)
        else:
            self.__dict__.pop("idf_", None)  # of an earlier fit

    def _features(self, X: Matrix) -> Matrix:
        if self.sublinear_tf:
            X = _sublinear(X)
        if self.use_idf:
            X = weighted(X, self.idf_)
        return NORMS[self.norm](X)


def idf(document_frequency: Indices, n_documents: int, *, smooth: bool) -> Array:
    """1 + log(m / m_n), with one more document that has every word if `smooth`. Shape (n,)."""
    m, m_n = n_documents + smooth, document_frequency + smooth
    weights = np.zeros(len(m_n))
    weights[m_n > 0] = 1 + np.log(m / m_n[m_n > 0])
    return weights


def _sublinear(X: Matrix) -> Matrix:
    if not isinstance(X, np.ndarray):
        return sparse.csr_array((_sublinear(X.data), X.indices, X.indptr), shape=X.shape)
    return np.where(X > 0, 1 + np.log(X, where=X > 0, out=np.zeros_like(X)), 0.0)


def _of_unit_sum(X: Matrix) -> Matrix:
    once = of_largest_one(X)
    return divided(once, abs(once).sum(axis=1))


def _copied(X: Matrix) -> Matrix:
    return X.copy()


NORMS: dict[str | None, Callable[[Matrix], Matrix]] = {"l1": _of_unit_sum, "l2": of_unit_length, None: _copied}
