"""Both event models on random splits of one corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.naive_bayes_newsgroups.tuning import MODELS, by_one_standard_error, cross_validated, deal
from course.studies.sweeps import by_vocabulary, held_out_accuracy


@dataclass(frozen=True)
class RandomSplits:
    """Test accuracy of each model over random splits of the same sizes.

    add_one : alpha = 1, shape (splits, sizes); the last size is all words. tuned : all words, with alpha chosen within
    each training part, shape (splits,).
    """

    add_one: dict[str, NDArray[np.float64]]
    tuned: dict[str, NDArray[np.float64]]

    def best_with_add_one(self, model: str) -> float:
        """The mean over the splits at the best size."""
        return float(self.add_one[model].mean(axis=0).max())

    def spread_at_best(self, model: str) -> float:
        """The range of the splits at that size."""
        values = self.add_one[model]
        return float(np.ptp(values[:, values.mean(axis=0).argmax()]))


def on_random_splits(
    posts: Corpus,
    sizes: Sequence[int],
    alphas: Sequence[float],
    rng: np.random.Generator,
    *,
    n_splits: int,
    folds: int,
) -> RandomSplits:
    """posts : from `pooled`, so that words of either part can be drawn for training."""
    add_one, tuned = [], []
    models = [model(alpha=1.0) for model in MODELS.values()]
    drawn = [posts.shuffled(rng) for _ in range(n_splits)]
    for split in drawn:
        add_one.append(by_vocabulary(models, split, [*sizes, len(split.words)]))
        tuned.append(_tuned(split, alphas, deal(len(split.y_train), folds, rng)))
    return RandomSplits(
        dict(zip(MODELS, np.array(add_one).transpose(1, 0, 2), strict=True)),
        dict(zip(MODELS, np.array(tuned).T, strict=True)),
    )


def _tuned(split: Corpus, alphas: Sequence[float], fold: NDArray[np.intp]) -> list[float]:
    """Test accuracy of each model with all words and the alpha that cross-validation chooses."""
    chosen = [by_one_standard_error(accuracy, len(fold)).item() for accuracy in cross_validated(split, alphas, fold)]
    return [held_out_accuracy(model(alpha=alphas[k]), split) for model, k in zip(MODELS.values(), chosen, strict=True)]
