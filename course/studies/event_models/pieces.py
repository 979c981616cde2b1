"""The score of the Bernoulli model as a sum of pieces, and the models between the two event models.

Three changes lead from the multinomial to the Bernoulli model:

presence   the words are counted once in each document, in training and in use: β'_jn in place of β_jn
absence    the term of the absent words is added, without what the length term contains of it
length     D log Λ_j - Λ_j is added

Any set of changes gives a classifier: with three changes there are eight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.length import length_term
from course.studies.growing_vocabulary import GrowingVocabulary
from course.studies.sweeps import by_information
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]
Changes = frozenset[str]

CHANGES = ("presence", "absence", "length")
EVERY_SET = tuple(frozenset(each) for size in range(4) for each in combinations(CHANGES, size))
MODELS: dict[str, Changes] = {
    "multinomial": frozenset(),
    "multinomial on presence": frozenset({"presence"}),
    "Bernoulli without length": frozenset({"presence", "absence"}),
    "Bernoulli": frozenset(CHANGES),
}


@dataclass(frozen=True)
class Pieces:
    """What the scores of the test documents are sums of. Shape (m, K), or (S, m, K) for S sizes of the vocabulary.

    counted : log π_j + sum_n x_n log β_jn
    present : log π_j + sum_n b_n log β'_jn
    absence : sum_n [log(1 - φ_jn) + φ_jn] - sum_n b_n log(1 - φ_jn)
    length : D log Λ_j - Λ_j
    labels : the classes, shape (K,)
    """

    counted: Array
    present: Array
    absence: Array
    length: Array
    labels: NDArray

    @classmethod
    def of(cls, corpus: Corpus, alpha: float) -> Self:
        """With all words, from the models of the package."""
        here, there = ((X > 0).astype(np.float64) for X in (corpus.X_train, corpus.X_test))
        counts = MultinomialNB(alpha=alpha).fit(corpus.X_train, corpus.y_train)
        presence = MultinomialNB(alpha=alpha).fit(here, corpus.y_train)
        bernoulli = BernoulliNB(alpha=alpha).fit(here, corpus.y_train)
        counted = counts.predict_joint_log_proba(corpus.X_test)
        present = presence.predict_joint_log_proba(there)
        length = length_term(bernoulli, there)
        absence = bernoulli.predict_joint_log_proba(there) - present - length
        return cls(counted, present, absence, length, bernoulli.classes_)

    @classmethod
    def by_vocabulary(cls, corpus: Corpus, sizes: Sequence[int], alpha: float) -> Self:
        """With the most informative words of the training part only, for each number of words in `sizes`."""
        growing = GrowingVocabulary.of(corpus, by_information(corpus), sizes)
        present, expected = growing.multinomial(alpha, presence=True), growing.expected_words(alpha)
        length = growing.test.presence().lengths() * np.log(expected) - expected
        absence = growing.bernoulli(alpha) - present - length
        return cls(growing.multinomial(alpha), present, absence, length, growing.labels)

    def score(self, changes: Changes) -> Array:
        """log π_j + log p(document | j) of the model with these changes, up to what is the same for all classes."""
        words = self.present if "presence" in changes else self.counted
        return sum((getattr(self, name) for name in ("absence", "length") if name in changes), start=words)

    def predictions(self, changes: Changes) -> NDArray:
        """The class of the largest score. Shape (m,) or (S, m)."""
        return self.labels[self.score(changes).argmax(axis=-1)]


def right(corpus: Corpus, alpha: float) -> dict[str, NDArray[np.bool_]]:
    """Which test documents each of MODELS classifies rightly. Shape (m,) each."""
    pieces = Pieces.of(corpus, alpha)
    return {name: pieces.predictions(changes) == corpus.y_test for name, changes in MODELS.items()}
