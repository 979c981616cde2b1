"""Spam is sent in campaigns: how often is a spam stopped whose like the filter has seen, and one that is new to it?"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.spam.held_out import log_odds
from course.studies.spam.splits import Rows, in_training_words
from probml.naive_bayes import MultinomialNB

ALIKE = 0.5  # share of their joint words that two messages of one template have in common


class Recall(NamedTuple):
    """Over all test parts: how many spams have a relative in the training part, and which share of both is stopped."""

    with_relative: float
    known: float
    new: float


def relatives(X: sparse.csr_array) -> NDArray[np.bool_]:
    """Whether two different messages share at least half of their joint words. X : counts, (m, n). Shape (m, m)."""
    present = (X > 0).astype(np.float64)
    common = (present @ present.T).toarray()
    words = present.sum(axis=1)
    alike = common >= ALIKE * (words[:, None] + words - common)
    np.fill_diagonal(alike, val=False)
    return alike


def recall(
    X: sparse.csr_array, y: NDArray[np.intp], parts: Sequence[tuple[Rows, Rows]], alpha: float
) -> tuple[float, Recall]:
    """The share of spams with a relative among all spams; and the recall of both kinds of test spam, all splits pooled.

    X : counts of words, shape (m, n). y : 1 for spam. parts : rows for training and for testing.
    """
    spam = np.flatnonzero(y == 1)
    alike = relatives(X[spam])
    place = np.full(len(y), -1)
    place[spam] = np.arange(len(spam))
    stopped, known = [], []
    for train, test in parts:
        A, B = in_training_words(X, train, test)
        h = log_odds(MultinomialNB(alpha=alpha).fit(A, y[train]), B)
        is_spam = y[test] == 1
        seen = place[train][y[train] == 1]
        stopped.append(h[is_spam] > 0)
        known.append(alike[np.ix_(place[test][is_spam], seen)].any(axis=1))
    hit, old = np.concatenate(stopped), np.concatenate(known)
    return float(alike.any(axis=1).mean()), Recall(float(old.mean()), float(hit[old].mean()), float(hit[~old].mean()))
