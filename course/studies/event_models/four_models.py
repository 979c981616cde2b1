"""From the multinomial to the Bernoulli model in three steps: without counts, with absent words, with the length."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.length_belief import length_term
from course.studies.growing_vocabulary import GrowingVocabulary
from course.studies.sweeps import by_information
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]

MODELS = ("multinomial", "multinomial on presence", "Bernoulli without length", "Bernoulli")


def scores(corpus: Corpus, alpha: float) -> dict[str, Array]:
    """log π_j + log p(x | j) of the test documents, up to what is the same for all classes. Arrays of shape (m, K).

    multinomial               sum_n x_n log β_jn
    multinomial on presence   the same of [x_n > 0], in training and test
    Bernoulli without length  the next, less D log Λ_j - Λ_j
    Bernoulli                 sum_n [x_n > 0] log φ_jn + [x_n = 0] log(1 - φ_jn)
    """
    here, there = ((X > 0).astype(np.float64) for X in (corpus.X_train, corpus.X_test))
    counts = MultinomialNB(alpha=alpha).fit(corpus.X_train, corpus.y_train)
    presence = MultinomialNB(alpha=alpha).fit(here, corpus.y_train)
    bernoulli = BernoulliNB(alpha=alpha).fit(here, corpus.y_train)
    joint = bernoulli.predict_joint_log_proba(there)
    found = (
        counts.predict_joint_log_proba(corpus.X_test),
        presence.predict_joint_log_proba(there),
        joint - length_term(bernoulli, there),
        joint,
    )
    return dict(zip(MODELS, found, strict=True))


def right(corpus: Corpus, alpha: float) -> NDArray[np.bool_]:
    """Which test documents each model classifies rightly. Shape (4, m), in the order of MODELS."""
    return np.array([score.argmax(axis=1) == corpus.y_test for score in scores(corpus, alpha).values()])


def right_by_vocabulary(corpus: Corpus, sizes: Sequence[int], alpha: float) -> NDArray[np.bool_]:
    """The same with the most informative words of the training part only. Shape (4, len(sizes), m)."""
    growing = GrowingVocabulary.of(corpus, by_information(corpus), sizes)
    bernoulli, expected = growing.bernoulli(alpha), growing.expected_words(alpha)
    found = (
        growing.multinomial(alpha),
        growing.multinomial(alpha, presence=True),
        bernoulli - growing.test.presence().lengths() * np.log(expected) + expected,
        bernoulli,
    )
    return np.array([growing.labels[score.argmax(axis=2)] == corpus.y_test for score in found])
