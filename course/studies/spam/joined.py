"""A bag of words and other features in one naive Bayes model."""

from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax

from probml.families import ExponentialFamily
from probml.naive_bayes import MixedNB, MultinomialNB


class JoinedNB:
    """Words and features are independent given the class:

        log p(words, features, y) = log p(y) + log p(words | y) + sum_k log p(feature_k | y)

    The words have a multinomial distribution, each feature the family named for it. The class prior counts once.

    words : counts, CSR, shape (m, n). features : shape (m, len(families)). y : shape (m,).
    """

    def __init__(self, families: list[ExponentialFamily], alpha: float) -> None:
        self.of_words = MultinomialNB(alpha=alpha)
        self.of_features = MixedNB(families, priors="uniform", alpha=1.0)

    def fit(self, words: sparse.csr_array, features: NDArray[np.float64], y: NDArray[np.intp]) -> Self:
        """Both parts, each on its own: that is what independence given the class means."""
        self.of_words.fit(words, y)
        self.of_features.fit(features, y)
        return self

    def predict_log_proba(self, words: sparse.csr_array, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log posterior, shape (m, K). The uniform prior of the features adds the same to all classes and cancels."""
        joint = self.of_words.predict_joint_log_proba(words) + self.of_features.predict_joint_log_proba(features)
        return log_softmax(joint, axis=1)
