"""What the Bernoulli model assumes about the number of different words in a document."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.corpus import Corpus
from probml.naive_bayes import BernoulliNB, MultinomialNB

Array = NDArray[np.float64]

SAMPLED = 2000  # documents drawn from each fitted model


def words_of(X: sparse.csr_array | NDArray) -> NDArray[np.int64]:
    """D_d, the number of different words in each document. Shape (m,)."""
    return np.diff(sparse.csr_array(X > 0).indptr)


def tokens_of(X: sparse.csr_array) -> NDArray[np.int64]:
    """The number of words in each document, repetitions included. Shape (m,)."""
    return np.asarray(X.sum(axis=1)).ravel().astype(int)


def expected_words(model: BernoulliNB) -> Array:
    """Λ_j = sum_n φ_jn, the mean number of different words in a document of class j. Shape (K,)."""
    return np.exp(model.feature_log_prob_).sum(axis=1)


def length_term(model: BernoulliNB, X: sparse.csr_array | NDArray) -> Array:
    """D_d log Λ_j - Λ_j: up to -log D_d!, the log probability of D_d under a Poisson distribution. Shape (m, K)."""
    expected = expected_words(model)
    return words_of(X)[:, None] * np.log(expected) - expected


@dataclass(frozen=True)
class Lengths:
    """Numbers of different words: of the training documents, and of documents drawn from the fitted models.

    documents : M_j. mean : the mean of D in each class. expected : Λ_j for each alpha.
    seen, drawn : numbers of different words. spread : standard deviations of D within a class, as seen and as the
    Bernoulli model with the smallest alpha has it.
    """

    documents: NDArray[np.int64]
    mean: Array
    expected: dict[float, Array]
    seen: NDArray[np.int64]
    drawn: dict[str, NDArray[np.int64]]
    spread: tuple[float, float]

    @classmethod
    def of(cls, corpus: Corpus, alpha: float, small_alpha: float, rng: np.random.Generator) -> Self:
        """Documents of the multinomial model have the numbers of words, repetitions included, of real ones."""
        X, y = corpus.X_train, corpus.y_train
        documents, D = np.bincount(y), words_of(X)
        mean = np.bincount(y, D) / documents
        fitted = {a: BernoulliNB(alpha=a).fit(X, y) for a in (small_alpha, alpha)}
        counts = MultinomialNB(alpha=small_alpha).fit(X, y)
        drawn = {"multinomial": words_of(counts.sample(SAMPLED, rng, length=rng.choice(tokens_of(X), SAMPLED))[0])}
        for a, model in fitted.items():
            drawn[f"Bernoulli, α = {a:g}"] = words_of(model.sample(SAMPLED // 4, rng)[0])
        phi = np.exp(fitted[small_alpha].feature_log_prob_)
        assumed = np.sqrt(np.average((phi * (1 - phi)).sum(axis=1), weights=documents))
        spread = float(np.sqrt(np.mean((D - mean[y]) ** 2))), float(assumed)
        return cls(documents, mean, {a: expected_words(model) for a, model in fitted.items()}, D, drawn, spread)
