"""How much the presence of a word tells about the class."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import xlogy
from sklearn.utils.validation import check_non_negative

from probml.inputs import labels_to_compare, matrix
from probml.typing import Array, Matrix


def mutual_information(X: Matrix, y: ArrayLike) -> Array:
    r"""Mutual information, in nats, between the class and the presence of each word.

    .. math::
        I(W_n; Y) = \sum_{w \in \{0, 1\}} \sum_j p(w, j) \log \frac{p(w, j)}{p(w) \, p(j)}

    with the probabilities estimated by relative frequencies of documents and 0 log 0 = 0.
    X : counts, shape (n_documents, n_words); y : labels, shape (n_documents,). Returns shape (n_words,).
    """
    counts, y = sparse.csr_array(matrix(X, input_name="X")), labels_to_compare(y)
    check_non_negative(counts, "mutual_information (X are counts)")
    n_documents = counts.shape[0]
    if y.shape != (n_documents,):
        raise ValueError(f"y must have a label for each of {n_documents} documents, received shape {y.shape}")
    present = counts > 0
    codes = np.unique(y, return_inverse=True)[1]
    members = sparse.csr_array((np.ones(n_documents), (codes, np.arange(n_documents))))
    with_word = (members @ present.astype(float)).toarray() / n_documents  # p(w = 1, j), shape (classes, words)
    p_class = members.sum(axis=1)[:, None] / n_documents
    p_word = with_word.sum(axis=0)
    without_word = p_class - with_word
    # p log(p / (q r)) as p log p - p log q - p log r: no division, and exact zeros where p is zero
    information: Array = np.sum(
        xlogy(with_word, with_word)
        - xlogy(with_word, p_class * p_word)
        + xlogy(without_word, without_word)
        - xlogy(without_word, p_class * (1 - p_word)),
        axis=0,
    )
    return information
