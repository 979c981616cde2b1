"""The bag of words: a document becomes the vector of its word counts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import count, islice
from numbers import Integral
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.text.checks import (
    check_max_features,
    check_min_df,
    check_ngram_range,
    check_stop_words,
    check_token_pattern,
    check_vocabulary,
)
from probml.text.counts import count_rows
from probml.text.grams import GramColumns
from probml.text.properties import word_properties
from probml.text.tokens import Tokens, number_tokens

STOP, UNKNOWN = -2, -1
"""Numbers of a stop word, which is removed before pairs are formed, and of an unknown word, which breaks a pair."""


class _KnownWords(dict[str, int]):
    def __missing__(self, word: str) -> int:
        return UNKNOWN


class BagOfWords(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # no set_output: counts are sparse
    r"""Count words: x_dn = number of times word n of the vocabulary occurs in document d.

    The matrix is that of scikit-learn's CountVectorizer with the same options, in a fraction of its time.

    Parameters
    ----------
    lowercase : fold capitals first.
    token_pattern : regular expression of a word; if it has a group, the group is the word.
    stop_words : words that are removed first, as if they had not been written.
    ngram_range : (1, 1) counts words, (2, 2) pairs of neighbours, written "word word", (1, 2) both.
    binary : whether a word occurs, 0 or 1, instead of how often.
    min_df : smallest number of documents (int), or smallest share of them (float), that a word of a learned vocabulary
        occurs in.
    max_features : keep this many words of a learned vocabulary, those with the largest sums over the matrix; words that
        come first in the alphabet win ties.
    vocabulary : the words to count, in the order of the columns; learned from the documents if None.
    properties : names of properties of words (table in `probml.text.properties`). Each adds a column, named
        "property:capital" for example, that counts the words of a document, as it is written and with its stop words,
        that have the property.
    dictionary : well-spelt words, for the property "misspelling".

    Attributes
    ----------
    words_ : array of str, names of all columns. A learned vocabulary is in alphabetical order; properties come last.
    vocabulary_ : dict from word, or pair of words, to column.
    """

    def __init__(
        self,
        *,
        lowercase: bool = True,
        token_pattern: str = r"\w+",
        stop_words: Collection[str] = (),
        ngram_range: tuple[int, int] = (1, 1),
        binary: bool = False,
        min_df: int | float = 1,
        max_features: int | None = None,
        vocabulary: Sequence[str] | None = None,
        properties: Sequence[str] = (),
        dictionary: Collection[str] | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.ngram_range = ngram_range
        self.binary = binary
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.properties = properties
        self.dictionary = dictionary

    def fit(self, documents: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary."""
        self.fit_transform(documents)
        return self

    def fit_transform(self, documents: Iterable[str], y: object = None) -> sparse.csr_array:
        """Learn the vocabulary and count: a CSR array of integers, shape (n_documents, n_columns)."""
        self._check_options()
        if self.vocabulary is not None:
            self._grams = (
                None if self.ngram_range == (1, 1) else GramColumns.of_names(self.vocabulary, self.ngram_range)
            )
            self._name_columns(np.array(list(self.vocabulary), dtype=object))
            return self.transform(documents)
        documents = self._readable(documents)
        return self._with_properties(self._learn(documents), documents)

    def transform(self, documents: Iterable[str]) -> sparse.csr_array:
        """Count the words of the vocabulary; others are passed over. Shape (n_documents, n_columns)."""
        check_is_fitted(self, "words_")
        documents = self._readable(documents)
        known = _KnownWords(self.vocabulary_ if self._grams is None else self._grams.words)
        known.update(dict.fromkeys(self.stop_words, STOP))
        tokens = self._tokens(documents, known)
        if self._grams is None:
            columns = tokens.only(tokens.numbers != UNKNOWN)
        else:
            columns = self._grams.of_tokens(tokens, self.ngram_range)
        return self._with_properties(self._count(columns, len(self.vocabulary_)), documents)

    def get_feature_names_out(self, input_features: object = None) -> NDArray:
        """Names of the columns."""
        check_is_fitted(self, "words_")
        return self.words_

    def __sklearn_tags__(self) -> Tags:
        """Texts come in, and whole numbers go out."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _check_options(self) -> None:
        check_token_pattern(self.token_pattern)
        check_ngram_range(self.ngram_range)
        check_min_df(self.min_df)
        check_max_features(self.max_features)
        check_stop_words(self.stop_words, self.lowercase)
        if self.vocabulary is not None:
            check_vocabulary(self.vocabulary, self.lowercase)
        word_properties(self.properties, self.dictionary)

    def _readable(self, documents: Iterable[str]) -> Iterable[str]:
        """Documents that can be read as often as needed: properties read them once more, as they are written."""
        only_once = iter(documents) is documents
        return list(documents) if only_once and len(self.properties) else documents

    def _tokens(self, documents: Iterable[str], numbers: dict[str, int]) -> Tokens:
        tokens = number_tokens(documents, numbers, token_pattern=self.token_pattern, lowercase=self.lowercase)
        return tokens.only(tokens.numbers != STOP)

    def _learn(self, documents: Iterable[str]) -> sparse.csr_array:
        words, grams, counts = self._count_all(documents)
        kept = self._kept(counts)
        if len(kept) < counts.shape[1]:
            counts = counts[:, kept]
        self._grams = None if grams is None else grams.only(kept)
        self._name_columns(words[kept] if grams is None else self._grams.names(words))
        return counts

    def _count_all(self, documents: Iterable[str]) -> tuple[NDArray, GramColumns | None, sparse.csr_array]:
        """All words, all grams if pairs are asked for, and the counts of these."""
        words, tokens = self._find_words(documents)
        if self.ngram_range == (1, 1):
            return words, None, self._count(tokens, len(words))
        grams, columns = GramColumns.of_corpus(tokens, words, self.ngram_range)
        return words, grams, self._count(columns, grams.n_columns)

    def _find_words(self, documents: Iterable[str]) -> tuple[NDArray, Tokens]:
        """All words but the stop words, in alphabetical order, and the documents in their numbers."""
        stop_words = dict.fromkeys(self.stop_words, STOP)
        numbers = defaultdict(count().__next__, stop_words)  # a new word gets the next number
        tokens = self._tokens(documents, numbers)
        words = np.array(sorted(islice(numbers, len(stop_words), None)), dtype=object)
        rank = np.empty(len(words), dtype=np.int32)
        rank[np.fromiter(map(numbers.__getitem__, words), np.intp, len(words))] = np.arange(len(words))
        np.take(rank, tokens.numbers, out=tokens.numbers, mode="clip")  # in place: this is the largest array of all
        return words, tokens

    def _kept(self, counts: sparse.csr_array) -> NDArray[np.intp]:
        """Columns of a learned vocabulary that `min_df` and `max_features` leave, ascending."""
        n_documents, n_found = counts.shape
        document_frequency = np.bincount(counts.indices, minlength=n_found)
        smallest = self.min_df if isinstance(self.min_df, Integral) else self.min_df * n_documents
        kept = np.flatnonzero(document_frequency >= smallest)
        if len(kept) == 0:
            raise ValueError(
                f"no word is left of {n_found} found in the documents: "
                f"they are empty, or min_df={self.min_df} or the stop words remove all"
            )
        if self.max_features is None or self.max_features >= len(kept):
            return kept
        totals = counts.sum(axis=0)[kept]
        return np.sort(kept[np.argsort(-totals, kind="stable")[: self.max_features]])

    def _name_columns(self, names: NDArray) -> None:
        self.vocabulary_ = dict(zip(names, range(len(names)), strict=True))
        self.words_ = np.append(names, np.array([f"property:{name}" for name in self.properties], dtype=object))

    def _count(self, columns: Tokens, n_columns: int) -> sparse.csr_array:
        counts = count_rows(columns, n_columns)
        if self.binary:
            counts.data[:] = 1
        return counts

    def _with_properties(self, counts: sparse.csr_array, documents: Iterable[str]) -> sparse.csr_array:
        if len(self.properties) == 0:
            return counts
        numbers = defaultdict(count().__next__)
        tokens = number_tokens(documents, numbers, token_pattern=self.token_pattern, lowercase=False)
        tests = word_properties(self.properties, self.dictionary)
        has_property = np.array([[test(word) for test in tests] for word in numbers], dtype=np.int64)
        having = count_rows(tokens, len(numbers)) @ has_property.reshape(
            -1, len(tests)
        )  # shape (documents, properties)
        if self.binary:
            having = np.minimum(having, 1)
        return sparse.hstack([counts, sparse.csr_array(having)], format="csr")
