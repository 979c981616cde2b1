"""Test documents classified with many amounts of smoothing: who is right, and how sure.

counts : N_jn, shape (K, V). alpha : a number, or one for each class, shape (K,).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from course.studies.corpus import corpus
from course.studies.smoothing.empirical_bayes import best_alpha, log_evidence, tails
from course.studies.smoothing.held_out import class_counts

Array = NDArray[np.float64]


class Judged(NamedTuple):
    """For each amount of smoothing and each document. All have the shape (amounts, documents)."""

    predicted: NDArray[np.intp]
    right: NDArray[np.bool_]
    log_loss: Array


def log_probabilities(counts: Array, alpha: ArrayLike) -> Array:
    """log (N_jn + alpha_j) / (N_j + V alpha_j). Shape (K, V)."""
    alpha = np.reshape(alpha, (-1, 1))
    return np.log(counts + alpha) - np.log(counts.sum(axis=1, keepdims=True) + counts.shape[1] * alpha)


def scores(X: sparse.csr_array, counts: Array, log_prior: Array, alpha: ArrayLike) -> Array:
    """log prior + log likelihood of every document in every class. Shape (documents, K)."""
    return X @ log_probabilities(counts, alpha).T + log_prior


def judge(
    X: sparse.csr_array, y: NDArray[np.intp], counts: Array, log_prior: Array, alphas: Iterable[ArrayLike]
) -> Judged:
    """Verdict and log loss of every document, for each amount of smoothing."""
    predicted, log_loss, rows = [], [], np.arange(len(y))
    for alpha in alphas:
        joint = scores(X, counts, log_prior, alpha)
        predicted.append(joint.argmax(axis=1))
        log_loss.append(np.logaddexp.reduce(joint, axis=1) - joint[rows, y])
    return Judged(np.array(predicted), np.array(predicted) == y, np.array(log_loss))


def on_newsgroups(alphas: Sequence[float]) -> tuple[Sequence[float], Array, Array, Array, float]:
    """Accuracy, log loss and log evidence per word of 20 Newsgroups for each alpha, and the one of largest evidence."""
    news = corpus("newsgroups")
    counts = class_counts(news.X_train, news.y_train, len(news.class_names))
    log_prior = np.log(np.bincount(news.y_train) / len(news.y_train))
    judged = judge(news.X_test, news.y_test, counts, log_prior, alphas)
    known = tails(counts)
    evidence = np.array([log_evidence(known, alpha) for alpha in alphas]) / counts.sum()
    return alphas, judged.right.mean(axis=1), judged.log_loss.mean(axis=1), evidence, best_alpha(counts)


def in_proportion(alpha: float, counts: Array) -> Array:
    """An alpha for each class in proportion to its tokens, `alpha` on average: the prior has the same share in all."""
    tokens = counts.sum(axis=1)
    return alpha * tokens / tokens.mean()


def mean_difference(first: NDArray, second: NDArray) -> tuple[float, float]:
    """Mean of first - second over the documents, and two standard errors of it."""
    difference = np.asarray(first, dtype=np.float64) - second
    return float(difference.mean()), float(2 * difference.std() / np.sqrt(len(difference)))
