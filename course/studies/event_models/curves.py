"""Accuracy against the size of the vocabulary over random splits, for every set of changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.attribution import Order, average_over_orders, in_each_order
from course.studies.event_models.pieces import EVERY_SET, MODELS, Changes, Pieces
from course.studies.resampled import resampled_interval

Array = NDArray[np.float64]
Interval = tuple[float, float]  # a mean and half the width of its interval


@dataclass(frozen=True)
class Curves:
    """accuracy : for each set of changes, shape (splits, sizes + 1); the last place is that of all words.

    sizes : numbers of words, the last one the mean over splits. train, test : documents in the two parts.
    """

    sizes: tuple[int, ...]
    accuracy: dict[Changes, Array]
    train: int
    test: int

    @classmethod
    def over_splits(cls, pool: Corpus, sizes: Sequence[int], splits: int, alpha: float, seed: int) -> Self:
        """pool : from `pooled`, since words of the present test part may be drawn for training."""
        found, n_words = [], []
        for k in range(splits):
            corpus = pool.shuffled(np.random.default_rng([seed, 1, k]))
            pieces = Pieces.by_vocabulary(corpus, [*sizes, len(corpus.words)], alpha)
            found.append([(pieces.predictions(each) == corpus.y_test).mean(axis=1) for each in EVERY_SET])
            n_words.append(len(corpus.words))
        accuracy = dict(zip(EVERY_SET, np.array(found).transpose(1, 0, 2), strict=True))
        return cls((*sizes, round(np.mean(n_words))), accuracy, len(pool.y_train), len(pool.y_test))

    def of(self, model: str) -> Array:
        """Accuracies of one of MODELS, shape (splits, sizes + 1)."""
        return self.accuracy[MODELS[model]]

    def mean(self, model: str) -> Array:
        """Mean accuracy for each size."""
        return self.of(model).mean(axis=0)

    def lead(self, first: str, second: str, place: int) -> Interval:
        """By how much the first model is ahead at a size: mean over splits, and half the width of the interval."""
        return self._interval(self.of(first)[:, place] - self.of(second)[:, place])

    def steps(self, place: int = -1) -> dict[Order, dict[str, Interval]]:
        """What each change adds in its turn, in each of the six orders, with all words or those of another place."""
        at_place = {changes: values[:, place] for changes, values in self.accuracy.items()}
        return {
            order: {change: self._interval(values) for change, values in added.items()}
            for order, added in in_each_order(at_place).items()
        }

    def average(self, place: int = -1) -> dict[str, float]:
        """Shapley's value of each change: the mean of its steps over the orders."""
        at_place = {changes: values[:, place].mean() for changes, values in self.accuracy.items()}
        return {change: float(value) for change, value in average_over_orders(at_place).items()}

    def _interval(self, values: Array) -> Interval:
        return resampled_interval(values, self.train, self.test)
