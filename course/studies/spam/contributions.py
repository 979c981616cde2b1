"""Why was this spam? The log odds of a message, word by word."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.naive_bayes import MultinomialNB


class Contributions(NamedTuple):
    """log p(1 | x) / p(0 | x) = prior + sum of by_word.

    words, times, by_word : each word once, the strongest first.
    """

    words: list[str]
    times: NDArray[np.intp]
    by_word: NDArray[np.float64]
    prior: float

    @property
    def total(self) -> float:
        """The log odds."""
        return self.prior + float(self.by_word.sum())


def contributions(model: MultinomialNB, x: sparse.csr_array, words: NDArray) -> Contributions:
    """x_n log(beta_1n / beta_0n) for each word n of one message x, shape (1, n), and the prior's log odds."""
    if x.shape[0] != 1:
        raise ValueError(f"contributions are those of one message, received {x.shape[0]}: pass one row")
    weight = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    x = sparse.csr_array(x)
    value = x.data * weight[x.indices]
    order = np.argsort(-np.abs(value), kind="stable")
    prior = float(model.class_log_prior_[1] - model.class_log_prior_[0])
    return Contributions(words[x.indices[order]].tolist(), x.data[order].astype(np.intp), value[order], prior)
