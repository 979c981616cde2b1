"""Accuracy against smoothing and vocabulary, and alpha chosen on the training part alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.growing_vocabulary import GrowingVocabulary
from course.studies.sweeps import by_information
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]
MODELS = {"multinomial": MultinomialNB, "Bernoulli": BernoulliNB}


@dataclass(frozen=True)
class Tuned:
    """Both event models on one corpus, for every alpha and every size of the vocabulary.

    alphas : increasing, shape (A,). sizes : numbers of words, the best by mutual information, shape (S,).
    fold : the part of the cross-validation to which each training document belongs, shape (m,).
    cross_validated, test : accuracy of each model, shape (A, S). At the last size both use all words they have seen.
    """

    alphas: Array
    sizes: NDArray[np.intp]
    fold: NDArray[np.intp]
    cross_validated: dict[str, Array]
    test: dict[str, Array]

    def chosen(self, model: str) -> NDArray[np.intp]:
        """For each size, the position of the alpha that the one-standard-error rule takes. Shape (S,)."""
        return by_one_standard_error(self.cross_validated[model], len(self.fold))

    def alpha(self, model: str) -> float:
        """The chosen alpha, with all words."""
        return float(self.alphas[self.chosen(model)[-1]])

    def with_chosen(self, model: str) -> Array:
        """Test accuracy for each size, with alpha chosen for that size. Shape (S,)."""
        return self.test[model][self.chosen(model), np.arange(len(self.sizes))]

    def with_alpha(self, model: str, alpha: float) -> Array:
        """Test accuracy for each size, with one alpha of the grid. Shape (S,)."""
        (row,) = np.flatnonzero(self.alphas == alpha)
        return self.test[model][row]


def tune(
    corpus: Corpus, alphas: Sequence[float], rng: np.random.Generator, *, folds: int, sizes: Sequence[int] = ()
) -> Tuned:
    """Cross-validate within the training part, and measure on the test part.

    sizes : numbers of words, increasing; all words are added as the last size. Within each fold words are ranked anew,
    and words that only the part left out has are ignored.
    """
    fold = deal(len(corpus.y_train), folds, rng)
    mean, test = cross_validated(corpus, alphas, fold, sizes), accuracies(corpus, alphas, sizes)
    return Tuned(
        np.asarray(alphas, dtype=float),
        np.array([*sizes, len(corpus.words)]),
        fold,
        dict(zip(MODELS, mean, strict=True)),
        dict(zip(MODELS, test, strict=True)),
    )


def deal(m: int, folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The fold of each of m documents, at random, in folds of the same size but for one document. Shape (m,)."""
    return rng.permutation(m) % folds


def cross_validated(
    corpus: Corpus, alphas: Sequence[float], fold: NDArray[np.intp], sizes: Sequence[int] = ()
) -> Array:
    """The proportion of training documents that are classified rightly without their fold. Shape (2, A, S + 1)."""
    held_out = [accuracies(part, alphas, sizes) for part in splits(corpus, fold)]
    return np.average(held_out, axis=0, weights=np.bincount(fold))


def by_one_standard_error(accuracy: Array, m: int) -> NDArray[np.intp]:
    """The last row of each column that is within one standard error of the best. Shape (S,).

    accuracy : proportions of m documents, shape (A, S); rows from the least to the most smoothing.
    """
    best = accuracy.max(axis=0)
    within = accuracy >= best - np.sqrt(best * (1 - best) / m)
    return len(accuracy) - 1 - within[::-1].argmax(axis=0)


def splits(corpus: Corpus, fold: NDArray[np.intp]) -> Iterator[Corpus]:
    """The training part alone: each fold in turn is the test part, and all others are for training."""
    X, y = corpus.X_train, corpus.y_train
    for k in range(fold.max() + 1):
        held_out = fold == k
        part = replace(corpus, X_train=X[~held_out], y_train=y[~held_out], X_test=X[held_out], y_test=y[held_out])
        yield part.without_rare_words(1)


def accuracies(corpus: Corpus, alphas: Sequence[float], sizes: Sequence[int] = ()) -> Array:
    """Test accuracy of both models for each alpha, with the best words of each size and with all words.

    Shape (2, A, S + 1).
    """
    ranking = by_information(corpus) if sizes else np.arange(len(corpus.words))  # all words need no ranking
    growing = GrowingVocabulary.of(corpus, ranking, [*sizes, len(corpus.words)])
    return np.array(
        [
            [(growing.predictions(model(alpha=alpha)) == corpus.y_test).mean(axis=1) for alpha in alphas]
            for model in MODELS.values()
        ]
    )
