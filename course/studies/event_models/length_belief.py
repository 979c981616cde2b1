"""What the Bernoulli model believes about the number of different words in a document."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.naive_bayes import BernoulliNB

Array = NDArray[np.float64]


def words_of(X: sparse.csr_array | NDArray) -> NDArray[np.int64]:
    """D_d, the number of different words in each document. Shape (m,)."""
    return np.diff(sparse.csr_array(X > 0).indptr)


def expected_words(model: BernoulliNB) -> Array:
    """Λ_j = sum_n φ_jn, the mean number of different words in a document of class j. Shape (K,)."""
    return np.exp(model.feature_log_prob_).sum(axis=1)


def length_term(model: BernoulliNB, X: sparse.csr_array | NDArray) -> Array:
    """D_d log Λ_j - Λ_j, the logarithm of Poisson's probability of D_d words but for D_d!. Shape (m, K)."""
    expected = expected_words(model)
    return words_of(X)[:, None] * np.log(expected) - expected
