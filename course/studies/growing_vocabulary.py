"""Naive Bayes with the best words only, for many numbers of words at once.

What a word adds to the score of a class does not depend on which other words are in the vocabulary, but for the total
by which its count is divided. So the words between two sizes are counted and looked up once for all larger sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.corpus import Corpus
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.naive_bayes.base import Counts
from probml.threads import shared_product

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Documents:
    """Documents, in which the words between two neighbouring sizes are one part.

    parts : counts, CSR, shape (S · m, n); row s · m + d has the words of document d between size s - 1 and size s.
    """

    parts: sparse.csr_array
    n_sizes: int

    @classmethod
    def of(cls, X: sparse.csr_array, ranking: NDArray[np.intp], sizes: Sequence[int]) -> Self:
        """X : counts, CSR, shape (m, n). ranking : columns, the best first. sizes : numbers of words, increasing."""
        m, n = X.shape
        part_of = np.full(n, len(sizes))
        part_of[ranking] = np.searchsorted(sizes, np.arange(len(ranking)), side="right")
        part = part_of[X.indices]
        row = part * m + np.repeat(np.arange(m), np.diff(X.indptr))
        used = (part < len(sizes)) & (X.data > 0)
        parts = sparse.coo_array((X.data[used], (row[used], X.indices[used])), shape=(len(sizes) * m, n))
        return cls(parts.tocsr(), len(sizes))

    def presence(self) -> "Documents":
        """The same documents with 1 for each word that is there."""
        parts = self.parts
        ones = sparse.csr_array((np.ones(parts.nnz), parts.indices, parts.indptr), shape=parts.shape)
        return Documents(ones, self.n_sizes)

    def sums(self, of_word: Array) -> Array:
        """sum_n x_dn w_jn over the words of each size, for w of shape (K, n). Shape (S, m, K)."""
        total = shared_product(self.parts, of_word.T).reshape(self.n_sizes, -1, len(of_word))
        return np.cumsum(total, axis=0, out=total)

    def lengths(self) -> Array:
        """sum_n x_dn over the words of each size. Shape (S, m, 1)."""
        return self.parts.sum(axis=1).reshape(self.n_sizes, -1, 1).cumsum(axis=0)


@dataclass(frozen=True)
class GrowingVocabulary:
    """A corpus with words ranked from the best on, and how many of these to use.

    counts, presence : statistics of the training part, with all words. test : documents of the test part.
    """

    ranking: NDArray[np.intp]
    sizes: NDArray[np.intp]
    counts: Counts
    presence: Counts
    test: Documents

    @classmethod
    def of(cls, corpus: Corpus, ranking: NDArray[np.intp], sizes: Sequence[int]) -> Self:
        """sizes : increasing."""
        if max(sizes) > len(ranking):
            raise ValueError(f"asked for the best {max(sizes)} words, but the vocabulary has only {len(ranking)}")
        if (np.diff(sizes, prepend=0) <= 0).any():
            raise ValueError(f"sizes must be increasing numbers of words from 1 on, received {list(sizes)}")
        return cls(
            ranking,
            np.asarray(sizes),
            MultinomialNB.statistics(corpus.X_train, corpus.y_train),
            BernoulliNB.statistics(corpus.X_train, corpus.y_train),
            Documents.of(corpus.X_test, ranking, sizes),
        )

    def multinomial(self, alpha: float, presence: bool = False) -> Array:
        """log π_j + sum_n x_n log β_jn of the test documents, with x_n = [x_n > 0] if `presence`. Shape (S, m, K)."""
        statistics = self.presence if presence else self.counts
        test = self.test.presence() if presence else self.test
        counted = np.log(statistics.feature_count + self._positive(alpha))
        total = self._of_best(statistics.feature_count + alpha)
        scores = test.sums(counted)
        scores -= test.lengths() * np.log(total)
        scores += self._log_prior()
        return scores

    def bernoulli(self, alpha: float) -> Array:
        """log π_j + sum_n [x_n > 0] log φ_jn + [x_n = 0] log(1 - φ_jn) of the test documents. Shape (S, m, K)."""
        documents, holding = self.presence.class_count[:, None], self.presence.feature_count
        absent = np.log(documents - holding + self._positive(alpha))
        odds = np.log(holding + alpha) - absent
        empty = self._of_best(absent) - self.sizes[:, None, None] * np.log(documents[:, 0] + 2 * alpha)
        scores = self.test.presence().sums(odds)
        scores += empty + self._log_prior()
        return scores

    def expected_words(self, alpha: float) -> Array:
        """Λ_j = sum_n φ_jn of the Bernoulli model. Shape (S, 1, K)."""
        return self._of_best(self.presence.feature_count + alpha) / (self.presence.class_count + 2 * alpha)

    def predictions(self, model: MultinomialNB | BernoulliNB) -> NDArray:
        """Classes of the test documents, shape (S, m). Of the parameters of the model only alpha may be set."""
        of_kind = {MultinomialNB: self.multinomial, BernoulliNB: self.bernoulli}
        if type(model) not in of_kind or type(model)(alpha=model.alpha).get_params() != model.get_params():
            raise ValueError(f"only MultinomialNB and BernoulliNB with an alpha are known here, received {model!r}")
        return self.labels[of_kind[type(model)](model.alpha).argmax(axis=2)]

    @property
    def labels(self) -> NDArray:
        """The classes, shape (K,)."""
        return self.counts.classes

    def _of_best(self, of_word: Array) -> Array:
        """Sums over the words of each size, for values of shape (K, n). Shape (S, 1, K)."""
        starts = np.append(0, self.sizes[:-1])
        best = of_word[:, self.ranking[: self.sizes[-1]]]
        return np.add.reduceat(best, starts, axis=1).cumsum(axis=1).T[:, None]

    def _log_prior(self) -> Array:
        return np.log(self.counts.class_count / self.counts.class_count.sum())

    def _positive(self, alpha: float) -> float:
        if not alpha > 0:
            raise ValueError(f"alpha must be above 0: a word that a class lacks has no logarithm; received {alpha!r}")
        return alpha
