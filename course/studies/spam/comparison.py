"""Filters that read a message in different ways, on the same random splits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.spam.held_out import log_odds
from course.studies.spam.joined import JoinedNB
from course.studies.spam.splits import Rows, in_training_words
from course.studies.spam.spread_counts import log_ratio
from probml.families import Bernoulli, Poisson
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]
WORDS, ABSENCE, COINS, POISSON, SPREAD, STACKED = (
    "words",
    "Bernoulli model",
    "words and six coins",
    "words and Poisson counts",
    "negative binomial counts",
    "properties as words",
)


def compare(
    X: sparse.csr_array, properties: Array, y: NDArray[np.intp], parts: Sequence[tuple[Rows, Rows]], alpha: float
) -> dict[str, Array]:
    """Errors of six filters on each split, if messages with positive log odds are stopped. Shapes (J,).

    X : counts of words, shape (m, n). properties : how many words of a message have each property, shape (m, k).
    """
    present = (properties > 0).astype(np.float64)
    further_words = sparse.csr_array(properties)
    found: dict[str, list[float]] = {}
    for train, test in parts:
        A, B = in_training_words(X, train, test)
        wide_A = sparse.hstack([A, further_words[train]], format="csr")
        wide_B = sparse.hstack([B, further_words[test]], format="csr")
        h = {
            WORDS: log_odds(MultinomialNB(alpha=alpha).fit(A, y[train]), B),
            ABSENCE: log_odds(BernoulliNB(alpha=alpha).fit(A, y[train]), B),
            COINS: _joined(Bernoulli(), A, present[train], y[train], alpha, B, present[test]),
            POISSON: _joined(Poisson(), A, properties[train], y[train], alpha, B, properties[test]),
            SPREAD: log_odds(MultinomialNB(alpha=alpha).fit(A, y[train]), B)
            + log_ratio(properties[train], y[train], properties[test], alpha),
            STACKED: log_odds(MultinomialNB(alpha=alpha).fit(wide_A, y[train]), wide_B),
        }
        for name, values in h.items():
            found.setdefault(name, []).append(float(np.mean((values > 0) != y[test])))
    return {name: np.array(values) for name, values in found.items()}


def _joined(
    family: Bernoulli | Poisson,
    A: sparse.csr_array,
    features: Array,
    y: NDArray[np.intp],
    alpha: float,
    B: sparse.csr_array,
    new_features: Array,
) -> Array:
    """Log odds by words and features, each feature with a distribution of this family in each class."""
    model = JoinedNB([family] * features.shape[1], alpha).fit(A, features, y)
    log_posterior = model.predict_log_proba(B, new_features)
    return log_posterior[:, 1] - log_posterior[:, 0]
