"""Who pays for the length term: test documents in fifths of their length."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.length import expected_words, words_of
from course.studies.event_models.pieces import MODELS, Pieces
from probml.metrics import wilson_interval
from probml.naive_bayes import BernoulliNB

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fifths:
    """spans : the smallest and the largest D of each fifth.

    share_right, low, high : of each model, shape (5,), with Wilson's interval. sent : of the shortest fifth, how many
    documents each model assigns to a class, divided by how many there are. expected : Λ_j.
    """

    spans: tuple[tuple[int, int], ...]
    share_right: dict[str, Array]
    low: dict[str, Array]
    high: dict[str, Array]
    sent: dict[str, Array]
    expected: Array
    below_every_expectation: float

    @classmethod
    def of(cls, corpus: Corpus, alpha: float) -> Self:
        """Fit to the training part, and look at the test part."""
        pieces, D, K = Pieces.of(corpus, alpha), words_of(corpus.X_test), len(corpus.class_names)
        fifth = np.searchsorted(np.quantile(D, [0.2, 0.4, 0.6, 0.8]), D)
        parts = [fifth == k for k in range(5)]
        expected = expected_words(BernoulliNB(alpha=alpha).fit(corpus.X_train, corpus.y_train))
        share_right, low, high, sent = {}, {}, {}, {}
        there = np.bincount(corpus.y_test[parts[0]], minlength=K)
        for name, changes in MODELS.items():
            predicted = pieces.predictions(changes)
            is_right = predicted == corpus.y_test
            share_right[name] = np.array([is_right[part].mean() for part in parts])
            low[name], high[name] = np.array([wilson_interval(is_right[part].sum(), part.sum()) for part in parts]).T
            sent[name] = np.bincount(predicted[parts[0]], minlength=K) / there
        spans = tuple((int(D[part].min()), int(D[part].max())) for part in parts)
        return cls(spans, share_right, low, high, sent, expected, float(np.mean(D < expected.min())))

    def rank_correlation(self, model: str) -> float:
        """Of Λ_j with how many of the shortest documents the model sends to class j."""
        ranks = [np.argsort(np.argsort(values, kind="stable")) for values in (self.expected, self.sent[model])]
        return float(np.corrcoef(*ranks)[0, 1])
