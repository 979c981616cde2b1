"""Posterior probabilities of China, by both event models, for many amounts of smoothing and for many documents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.studies.naive_bayes_by_hand.documents import LABELS, QUESTION, TEXTS, VOCABULARY
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords

MODELS = {"multinomial": MultinomialNB, "Bernoulli": BernoulliNB}


def counts(texts: Sequence[str]) -> NDArray[np.int64]:
    """x_dn, how often word n of the vocabulary occurs in document d. Shape (documents, words)."""
    return BagOfWords(lowercase=False, vocabulary=list(VOCABULARY)).transform(texts).toarray()


def fitted(name: str, alpha: float = 1.0) -> BernoulliNB | MultinomialNB:
    """An event model, by its name, as the four training documents teach it."""
    return MODELS[name](alpha=alpha).fit(counts(TEXTS), LABELS)


def against_alpha(alphas: ArrayLike, text: str = QUESTION) -> dict[str, NDArray[np.float64]]:
    """The posterior of China for a document, at each alpha, by the name of the event model."""
    x = counts([text])
    return {
        name: np.array([fitted(name, alpha).predict_proba(x)[0, 0] for alpha in np.asarray(alphas)]) for name in MODELS
    }


def of_copies(copies: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """The posterior of China for the fifth document written out k times, for each k, by the name of the event model."""
    x = counts([QUESTION])
    return {name: np.array([fitted(name).predict_proba(k * x)[0, 0] for k in copies]) for name in MODELS}


def with_companions(word: str, companions: Sequence[int], alpha: float = 1.0) -> dict[str, NDArray[np.float64]]:
    """The posterior of China for the fifth document if k further words come with every occurrence of `word`.

    They do so in the training documents, too: each is a copy of the column of `word`, under a name of its own.
    """
    X, column = counts([*TEXTS, QUESTION]), VOCABULARY.index(word)
    wider = [np.hstack([X, np.repeat(X[:, [column]], k, axis=1)]) for k in companions]
    return {
        name: np.array([model(alpha=alpha).fit(each[:-1], LABELS).predict_proba(each[-1:])[0, 0] for each in wider])
        for name, model in MODELS.items()
    }


def on_grid(
    horizontal: str, vertical: str, most: int, highest: int, alpha: float = 1.0
) -> dict[str, NDArray[np.float64]]:
    """The posterior of China for documents of two words alone, by the name of the event model.

    Row i and column k hold the document with word `vertical` i times and word `horizontal` k times; there are at most
    `highest` and `most` of them. Shape (highest + 1, most + 1).
    """
    texts = [
        " ".join([vertical] * rows + [horizontal] * columns)
        for rows in range(highest + 1)
        for columns in range(most + 1)
    ]
    return {
        name: fitted(name, alpha).predict_proba(counts(texts))[:, 0].reshape(highest + 1, most + 1) for name in MODELS
    }
