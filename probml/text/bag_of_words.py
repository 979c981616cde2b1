"""The bag of words: a document becomes the vector of its word counts."""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class BagOfWords(TransformerMixin, BaseEstimator):
    r"""Count words: x_dn = number of times word n of the vocabulary occurs in document d.

    Parameters
    ----------
    lowercase : fold capitals first.
    token_pattern : regular expression of a word.
    stop_words : words that are left out of a learned vocabulary.
    min_df : smallest number of documents a word of a learned vocabulary occurs in.
    vocabulary : the words to count, in the order of the columns; learned from the documents if None.

    Attributes
    ----------
    words_ : array of str, shape (n_words,). A learned vocabulary is in alphabetical order.
    """

    def __init__(
        self,
        *,
        lowercase: bool = True,
        token_pattern: str = r"\w+",
        stop_words: Sequence[str] = (),
        min_df: int = 1,
        vocabulary: Sequence[str] | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.min_df = min_df
        self.vocabulary = vocabulary

    def fit(self, documents: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary."""
        self.fit_transform(documents)
        return self

    def fit_transform(self, documents: Iterable[str], y: object = None) -> sparse.csr_array:
        """Learn the vocabulary and count: a CSR array of integers, shape (n_documents, n_words)."""
        self._check_words()
        if self.vocabulary is not None:
            words = np.asarray(list(self.vocabulary), dtype=object)
            if len(set(words)) != len(words):
                raise ValueError("vocabulary has repeated words; each word is one column")
            if len(words) == 0:
                raise ValueError("vocabulary is empty: give at least one word, or None to learn it")
            self._set_words(words)
            return self.transform(documents)

        if self.min_df < 1:
            raise ValueError(f"min_df must be at least 1 document, received {self.min_df!r}")
        column: dict[str, int] = defaultdict()
        column.default_factory = column.__len__
        counts = self._count(documents, column.__getitem__, column)
        found = np.array(list(column), dtype=object)
        document_frequency = np.bincount(counts.indices, minlength=len(found))
        stop_words = set(self.stop_words)
        kept = np.array([word not in stop_words for word in found], dtype=bool) & (document_frequency >= self.min_df)
        if not kept.any():
            raise ValueError(
                f"no word is left of {len(found)} found in the documents: "
                f"they are empty, or min_df={self.min_df} or the stop words remove all"
            )
        order = np.flatnonzero(kept)
        order = order[np.argsort(found[order])]
        self._set_words(found[order])
        counts = counts[:, order]
        counts.sort_indices()
        return counts

    def transform(self, documents: Iterable[str]) -> sparse.csr_array:
        """Count the words of the vocabulary; others are passed over. Shape (n_documents, n_words)."""
        check_is_fitted(self, "words_")
        return self._count(documents, self._column.get, self._column)

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Words, in the order of the columns."""
        check_is_fitted(self, "words_")
        return self.words_

    def _check_words(self) -> None:
        for name, words in (("stop_words", self.stop_words), ("vocabulary", self.vocabulary)):
            if words is not None and not isinstance(words, list | tuple | np.ndarray):
                raise TypeError(f"{name} must be a list of words, received {type(words).__name__}")
            capital = next((word for word in words or () if self.lowercase and word != word.lower()), None)
            if capital is not None:
                raise ValueError(f"{name} has {capital!r}, which lowercase=True never finds: write it in lower case")
        if re.compile(self.token_pattern).groups > 1:
            raise ValueError(f"token_pattern {self.token_pattern!r} has more than one group: which one is the word?")

    def _set_words(self, words: np.ndarray) -> None:
        self.words_ = words
        self._column = {word: index for index, word in enumerate(words)}

    def _count(self, documents: Iterable[str], column_of: object, columns: dict[str, int]) -> sparse.csr_array:
        if isinstance(documents, str):
            raise TypeError("expected several documents (a list of str), received one str")
        tokens = re.compile(self.token_pattern).findall
        indices, ends = array("q"), array("q", [0])
        for document in documents:
            if not isinstance(document, str):
                raise TypeError(f"document {len(ends) - 1} is {type(document).__name__}, expected str")
            found = map(column_of, tokens(document.lower() if self.lowercase else document))
            indices.extend(column for column in found if column is not None)
            ends.append(len(indices))
        columns_of_tokens, ends_of_rows = np.array(indices, dtype=np.int64), np.array(ends, dtype=np.int64)
        ones = np.ones(len(columns_of_tokens), dtype=np.int64)
        counts = sparse.csr_array((ones, columns_of_tokens, ends_of_rows), shape=(len(ends) - 1, len(columns)))
        counts.sum_duplicates()
        return counts
