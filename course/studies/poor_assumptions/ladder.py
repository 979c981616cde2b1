"""From the multinomial model to Rennie's in five steps, each of which keeps those before it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from probml.generative import ClassStatistics
from probml.metrics import accuracy
from probml.naive_bayes import ComplementNB, MultinomialNB
from probml.naive_bayes.base import CountNB
from probml.text import InverseDocumentFrequency, LogCounts, UnitLength
from probml.text.features import CountFeatures

STEPS = ("multinomial", "log counts", "idf", "unit length", "complement", "normalised weights")


@dataclass(frozen=True)
class Rung:
    """A step: its name, the corpus as features, and the model as a function of alpha."""

    name: str
    corpus: Corpus
    model: Callable[..., CountNB]

    def fitted(self, alpha: float) -> CountNB:
        """The model, fitted to the training part."""
        model = self.model(alpha=alpha)
        return type(model).from_statistics(self.statistics, **model.get_params())

    @cached_property
    def statistics(self) -> ClassStatistics:
        """Counts of the training part: what is the same for all alpha."""
        return type(self.model()).statistics(self.corpus.X_train, self.corpus.y_train)

    def predictions(self, alpha: float) -> NDArray[np.intp]:
        """Classes of the test documents, shape (m,)."""
        return self.fitted(alpha).predict(self.corpus.X_test)


def ladder(corpus: Corpus) -> dict[str, Rung]:
    """All steps, by their names. What a transformation has to learn it learns from the training part."""
    logs = transformed(corpus, LogCounts())
    weighted = transformed(logs, InverseDocumentFrequency())
    scaled = transformed(weighted, UnitLength())
    normalised = partial(ComplementNB, norm=True)
    parts = [corpus, logs, weighted, scaled, scaled, scaled]
    models = [MultinomialNB, MultinomialNB, MultinomialNB, MultinomialNB, ComplementNB, normalised]
    return {name: Rung(name, part, model) for name, part, model in zip(STEPS, parts, models, strict=True)}


def transformed(corpus: Corpus, transform: CountFeatures) -> Corpus:
    """The same documents with other features."""
    X_train = transform.fit_transform(corpus.X_train)
    return replace(corpus, X_train=X_train, X_test=transform.transform(corpus.X_test))


def held_out(corpus: Corpus, share: float, rng: np.random.Generator) -> Corpus:
    """The training part alone, cut at random: this share of it becomes the test part.

    The vocabulary is what of the present one occurs in the new training part.
    """
    size = round(share * len(corpus.y_train))
    if not 0 < size < len(corpus.y_train):
        raise ValueError(f"a share of {share!r} of {len(corpus.y_train)} documents leaves one of the parts empty")
    test, train = np.split(rng.permutation(len(corpus.y_train)), [size])
    X, y = corpus.X_train, corpus.y_train
    part = replace(corpus, X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test])
    return part.without_rare_words(1)


def best_alpha(rung: Rung, alphas: Sequence[float]) -> float:
    """The alpha of the best accuracy on the test part; of equally good ones the largest."""
    found = [(accuracy(rung.corpus.y_test, rung.predictions(alpha)), alpha) for alpha in alphas]
    return max(found)[1]
