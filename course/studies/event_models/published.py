"""By how much the multinomial model cuts the error of the Bernoulli model, each at its best vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.studies.corpus import Corpus
from course.studies.event_models.pieces import MODELS, Pieces

RESAMPLES = 1000  # of the bootstrap over test documents


@dataclass(frozen=True)
class Cut:
    """best : accuracy of each model at its best vocabulary. cut : 1 - error of the multinomial / error of Bernoulli's.

    low, high : of the 95 % interval by the bootstrap over test documents.
    """

    best: dict[str, float]
    cut: float
    low: float
    high: float


def error_cut(corpus: Corpus, sizes: Sequence[int], alpha: float, rng: np.random.Generator) -> Cut:
    """On the split of the corpus. sizes : those below four fifths of the vocabulary are used, and all words."""
    pieces = Pieces.by_vocabulary(corpus, _within(corpus, sizes), alpha)
    is_right = {name: pieces.predictions(changes) == corpus.y_test for name, changes in MODELS.items()}
    at_best = {name: values[values.mean(axis=1).argmax()] for name, values in is_right.items()}
    wrong = {name: ~values for name, values in at_best.items()}
    again = rng.integers(len(corpus.y_test), size=(RESAMPLES, len(corpus.y_test)))
    ratios = wrong["multinomial"][again].sum(axis=1) / wrong["Bernoulli"][again].sum(axis=1)
    low, high = np.quantile(1 - ratios, [0.025, 0.975])
    cut = 1 - wrong["multinomial"].sum() / wrong["Bernoulli"].sum()
    return Cut({name: float(values.mean()) for name, values in at_best.items()}, float(cut), float(low), float(high))


def best_over_splits(
    pool: Corpus, sizes: Sequence[int], splits: int, alpha: float, seed: int
) -> dict[str, list[float]]:
    """Accuracy at the best vocabulary of each model, for each of several random splits of a pooled corpus."""
    best: dict[str, list[float]] = {name: [] for name in MODELS}
    for k in range(splits):
        corpus = pool.shuffled(np.random.default_rng([seed, 7, k]))
        pieces = Pieces.by_vocabulary(corpus, _within(corpus, sizes), alpha)
        for name, changes in MODELS.items():
            best[name].append(float((pieces.predictions(changes) == corpus.y_test).mean(axis=1).max()))
    return best


def _within(corpus: Corpus, sizes: Sequence[int]) -> list[int]:
    return [*(size for size in sizes if size < 0.8 * len(corpus.words)), len(corpus.words)]
