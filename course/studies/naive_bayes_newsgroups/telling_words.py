"""The words by which a fitted model tells a class from the others."""

import numpy as np
from numpy.typing import NDArray

from probml.naive_bayes import MultinomialNB


def telling_words(model: MultinomialNB, words: NDArray, k: int) -> list[list[str]]:
    """The k words that speak most for each class, in the documents of that class.

    Word n is scored by its expected contribution, per token of class j, to the log odds against the other classes,

        beta_jn (log beta_jn - log beta_rest,n),

    with beta_rest the word probabilities of all other classes taken together. A rare word with a high odds ratio and a
    frequent one with a low odds ratio both score low.
    """
    if not np.isfinite(model.feature_log_prob_).all():
        raise ValueError("telling words need alpha > 0: without it a word of one class only scores infinitely")
    others = model.feature_count_.sum(axis=0) - model.feature_count_ + model.alpha_
    log_others = np.log(others) - np.log(others.sum(axis=1, keepdims=True))
    score = np.exp(model.feature_log_prob_) * (model.feature_log_prob_ - log_others)
    best = np.argsort(-score, axis=1, kind="stable")[:, :k]
    return [list(words[row]) for row in best]
