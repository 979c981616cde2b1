"""Log odds of messages by filters that have not seen them."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.spam.splits import in_training_words
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]


def log_odds(model: MultinomialNB | BernoulliNB, X: sparse.csr_array) -> Array:
    """log p(1 | x) / p(0 | x) of each message. Shape (m,)."""
    joint = model.predict_joint_log_proba(X)
    return joint[:, 1] - joint[:, 0]


def folds(m: int, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Deal m messages at random into `count` folds of nearly equal size: the number of the fold of each. Shape (m,)."""
    return rng.permutation(m) % count


def scores(X: sparse.csr_array, y: NDArray[np.intp], alpha: float, count: int, rng: np.random.Generator) -> Array:
    """Held-out log odds of all messages, by `count` random folds. Shape (m,)."""
    return out_of_fold(X, y, alpha, folds(len(y), count, rng))


def out_of_fold(X: sparse.csr_array, y: NDArray[np.intp], alpha: float, fold: NDArray[np.intp]) -> Array:
    """Log odds of each message by multinomial naive Bayes learned from the other folds. Shape (m,).

    All filters have the same class prior, the proportion of spam among all messages, so that folds can be pooled.

    fold : number of the fold of each message, shape (m,).
    """
    prior = [1 - np.mean(y), np.mean(y)]
    h = np.empty(len(y))
    for k in np.unique(fold):
        own, others = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
        A, B = in_training_words(X, others, own)
        h[own] = log_odds(MultinomialNB(alpha=alpha, class_prior=prior).fit(A, y[others]), B)
    return h
