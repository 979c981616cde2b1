"""The bag of words: a document becomes the vector of its word counts."""

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from copy import copy
from functools import partial
from itertools import count, repeat
from operator import add
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import DTypeLike
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from probml.chunks import ChunkByChunk, chunks_of_texts
from probml.inputs import AllOrNothing, is_whole, parameters
from probml.text.grams import GramColumns
from probml.text.tokens import STOP, Tokens, count_rows, number_features, number_tokens
from probml.text.word_lookup import NumbersOf, WordNumbers
from probml.typing import Indices, Labels

Vocabulary: TypeAlias = Mapping[Hashable, int] | Iterable[Hashable]
Documents: TypeAlias = Any  # an iterable of them, or chunks
TOKEN_PATTERN = r"\w+"
UNKNOWN = -1
"""Number of an unknown word, which breaks a pair."""
WITHOUT_SPACES = re.compile(r"(?:\\[bBdw]|[\w'+*?{},|()\[\]:-])+")
"""Patterns of which no match has a space: made of letters and digits, classes of them, and how often they occur."""


@parameters
class BagOfWords(AllOrNothing, ChunkByChunk, CountVectorizer):
    r"""Count words: x_dn = number of times word n of the vocabulary occurs in document d.

    The matrix is that of scikit-learn's CountVectorizer with the same options, but for words with the same sum at the
    limit of `max_features`, of which CountVectorizer may keep others than the first in the alphabet. What is counted in
    a document is found by CountVectorizer, unless it is a word found by `token_pattern`, or a pair of them: those are
    counted here, all documents at a time, in a fraction of its time.

    Documents may be in chunks: a bag of Dask, or another collection of texts; a function that returns an iterator of
    lists of texts, or `Chunks` of a list of such lists. Words are then found chunk by chunk, and `transform` counts so.

    Parameters
    ----------
    Those of CountVectorizer. They mean what they mean there, and have the same values unless given, but for
    `token_pattern`. A word may be whatever the analyzer finds: a word, an n-gram, a few characters.

    token_pattern : regular expression of a word; if it has a group, the group is the word. CountVectorizer passes over
        words of one letter, this pattern does not.
    lowercase : fold capitals first.
    stop_words : list of words that are removed first, as if they had not been written; "english" for scikit-learn's.
    ngram_range : shortest and longest n-gram. (1, 1) counts words, (2, 2) pairs of neighbours, written "word word",
        (1, 2) both.
    min_df, max_df : smallest and largest number of documents (int), or share of them (float), that a word of a learned
        vocabulary occurs in.
    max_features : keep this many words of a learned vocabulary, those with the largest sums over the matrix.
    vocabulary : the words to count, in the order of the columns; or a dict from word to column; or a set, which is put
        in alphabetical order. Learned from the documents if None.
    binary : whether a word occurs, 0 or 1, instead of how often.

    Attributes
    ----------
    words_ : array of str, names of all columns. A learned vocabulary is in alphabetical order.
    vocabulary_ : dict from word, or pair of words, to column.
    fixed_vocabulary_ : whether the vocabulary is given.
    """

    input: str = "content"
    encoding: str = "utf-8"
    decode_error: str = "strict"
    strip_accents: str | Callable[[str], str] | None = None
    lowercase: bool = True
    preprocessor: Callable[[Any], str] | None = None
    tokenizer: Callable[[str], Iterable[Any]] | None = None
    stop_words: Collection[str] | str | None = None
    token_pattern: str | None = TOKEN_PATTERN
    ngram_range: tuple[int, int] = (1, 1)
    analyzer: str | Callable[[Any], Iterable[Hashable]] = "word"
    max_df: int | float = 1.0
    min_df: int | float = 1
    max_features: int | None = None
    vocabulary: Vocabulary | None = None
    binary: bool = False
    dtype: DTypeLike = np.int64

    def fit(self, raw_documents: Documents, y: object = None) -> Self:
        """Learn the vocabulary, of documents or of chunks of them."""
        if (chunks := chunks_of_texts(raw_documents)) is None:
            self.fit_transform(raw_documents)
            return self
        self._check_options()
        self._validate_vocabulary()
        if self.fixed_vocabulary_:
            self._take_vocabulary()
            return self
        if (found := chunks.total(partial(_frequencies_of, clone(self)), add)) is None:
            raise ValueError("no chunk has any documents: there is nothing to learn words from")
        self.words_ = found.names[self._kept(found)]
        self.vocabulary_ = dict(zip(self.words_, range(len(self.words_)), strict=True))
        self._grams = GramColumns.of_names(self.words_, self.ngram_range) if self._counts_pairs() else None
        return self

    def fit_transform(self, raw_documents: Documents, y: object = None) -> sparse.csr_array:
        """Learn the vocabulary and count: a CSR array, shape (n_documents, n_words); in chunks if these are."""
        if (chunks := chunks_of_texts(raw_documents)) is not None:
            return self.fit(chunks).transform(raw_documents)
        _require_documents(raw_documents)
        self._check_options()
        self._validate_vocabulary()
        if not self.fixed_vocabulary_:
            return self._learn(raw_documents).astype(self.dtype, copy=False)
        self._take_vocabulary()
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[object]) -> sparse.csr_array:
        """Count the words of the vocabulary; others are passed over. Shape (n_documents, n_words)."""
        _require_documents(raw_documents)
        self._check_vocabulary()
        grams = vars(self).get("_grams")
        if not self._counts_pairs():
            grams = None
        elif grams is None or grams.ngram_range != self.ngram_range:  # an option that has changed since `fit`
            grams = GramColumns.of_names(self.get_feature_names_out(), self.ngram_range)
        known = self.vocabulary_ if grams is None else grams.words
        if stop := self._stop_numbers():
            known = known | stop
        tokens = self._numbered(raw_documents, lambda words: map(known.get, words, repeat(UNKNOWN)))
        columns = tokens.only(tokens.numbers != UNKNOWN) if grams is None else grams.of_tokens(tokens)
        return self._count(columns, len(self.vocabulary_)).astype(self.dtype, copy=False)

    def _columns_of(self, method: str) -> int:
        return len(self.vocabulary_)

    def _dtype_of(self, method: str, X: object) -> np.dtype:
        return np.dtype(self.dtype)

    def _check_options(self) -> None:
        self._validate_params()
        shortest, longest = self.ngram_range
        if not 1 <= shortest <= longest:
            raise ValueError(
                "ngram_range must be (shortest, longest) with 1 <= shortest <= longest, such as (1, 2) for words and "
                f"pairs, received {self.ngram_range!r}"
            )
        options = copy(self)
        if options.token_pattern == TOKEN_PATTERN:
            options.token_pattern = None  # which was not asked for, and need not be used
        options._warn_for_unused_params()

    def _take_vocabulary(self) -> None:
        """That which was given."""
        self._check_capitals()
        self.words_ = self.get_feature_names_out()
        self._grams = GramColumns.of_names(self.words_, self.ngram_range) if self._counts_pairs() else None

    def _check_capitals(self) -> None:
        if self.lowercase and self.preprocessor is None and not callable(self.analyzer):
            words = (word for word in self.vocabulary_ if isinstance(word, str))
            if capitals := next((word for word in words if word != word.lower()), None):
                warnings.warn(f"vocabulary has {capitals!r}, which lowercase=True never finds", stacklevel=3)

    def _pattern(self) -> str | None:
        """The pattern of words, if they are found by one, and n-grams are pairs at most: no `str` is made of each."""
        as_usual = type(self).build_analyzer is CountVectorizer.build_analyzer and self.analyzer == "word"
        found = getattr(self.build_tokenizer(), "__self__", None) if as_usual and self.ngram_range[1] <= 2 else None
        return found.pattern if isinstance(found, re.Pattern) and found.flags == re.UNICODE else None

    def _counts_pairs(self) -> bool:
        """Whether words are found by a pattern, and pairs are still to be formed of them."""
        return tuple(self.ngram_range) != (1, 1) and self._pattern() is not None

    def _stop_numbers(self) -> WordNumbers:
        """STOP for each stop word that is still to be removed from words found by a pattern."""
        return dict.fromkeys(self.get_stop_words() or (), STOP) if self._pattern() is not None else {}

    def _numbered(self, documents: Iterable[object], numbers_of: NumbersOf) -> Tokens:
        """Numbers of the words but the stop words, if they are found by a pattern, else of all that is counted."""
        analyze, pattern = self.build_analyzer(), self._pattern()
        if pattern is None:
            return number_features(documents, numbers_of, analyze)
        preprocess = self.build_preprocessor()
        only_folds = getattr(preprocess, "keywords", None) == {"accent_function": None, "lower": self.lowercase}
        texts = map(self.decode, documents) if only_folds else map(preprocess, map(self.decode, documents))
        tokens = number_tokens(texts, numbers_of, token_pattern=pattern, lowercase=only_folds and self.lowercase)
        return tokens if self.stop_words is None else tokens.only(tokens.numbers != STOP)

    def _learn(self, documents: Iterable[object]) -> sparse.csr_array:
        """Find all words, or grams, count them, and keep those that the limits leave as the vocabulary."""
        names, grams, counts = self._find_and_count(documents)
        n_columns = counts.shape[1]
        kept = self._kept(Frequencies.of(names, counts, self.max_features is not None))
        self._grams = None if grams is None else grams.only(kept)
        self.words_ = names[kept] if self._grams is None else self._grams.names()
        if grams is not None and not WITHOUT_SPACES.fullmatch(self._pattern() or ""):
            self._grams = GramColumns.of_names(self.words_, self.ngram_range)  # "a b" may be a word as well as a pair
        self.vocabulary_ = dict(zip(self.words_, range(len(self.words_)), strict=True))
        return counts[:, kept] if len(kept) < n_columns else counts

    def _find_and_count(self, documents: Iterable[object]) -> tuple[Labels, GramColumns | None, sparse.csr_array]:
        """All words in alphabetical order, the columns of their grams, if these are counted, and the counts."""
        names, tokens = self._find_words(documents)
        n_columns, grams = len(names), None
        if self._counts_pairs():
            grams, tokens = GramColumns.of_corpus(tokens, names, self.ngram_range)
            n_columns = grams.n_columns
        return names, grams, self._count(tokens, n_columns)

    def _find_words(self, documents: Iterable[object]) -> tuple[Labels, Tokens]:
        """All words but the stop words, in alphabetical order, and the documents in their numbers."""
        numbers: WordNumbers = defaultdict(count().__next__, self._stop_numbers())  # a new word gets the next number
        tokens = self._numbered(documents, partial(map, numbers.__getitem__))
        words = [word for word, number in numbers.items() if number != STOP]  # in the order of their numbers
        order = np.fromiter(sorted(range(len(words)), key=words.__getitem__), np.intp, len(words))
        rank = np.empty(len(words), dtype=np.int32)
        rank[order] = np.arange(len(words))
        np.take(rank, tokens.numbers, out=tokens.numbers, mode="clip")  # in place: this is the largest array of all
        return np.fromiter(words, object, len(words))[order], tokens

    def _kept(self, found: "Frequencies") -> Indices:
        """Columns of a learned vocabulary that `min_df`, `max_df` and `max_features` leave, ascending."""
        n_documents, frequency = found.n_documents, found.documents
        smallest, largest = (limit if is_whole(limit) else limit * n_documents for limit in (self.min_df, self.max_df))
        kept = np.flatnonzero((smallest <= frequency) & (frequency <= largest))
        if len(kept) == 0:
            raise ValueError(
                f"no word is left of {len(frequency)} found in {n_documents} documents: they are empty, "
                f"or min_df={self.min_df}, max_df={self.max_df} or the stop words remove all"
            )
        if self.max_features is None or self.max_features >= len(kept):
            return kept
        totals = found.totals[kept]
        return np.sort(kept[np.argsort(-totals, kind="stable")[: self.max_features]])

    def _count(self, columns: Tokens, n_columns: int) -> sparse.csr_array:
        counts = count_rows(columns, n_columns)
        if self.binary:
            counts.data[:] = 1
        return counts


class Frequencies(NamedTuple):
    """What limits a vocabulary: of each word in how many documents it is, and its sum over them, shape (n_words,)."""

    names: Labels
    documents: Indices
    totals: Indices
    n_documents: int

    @classmethod
    def of(cls, names: Labels, counts: sparse.csr_array, with_totals: bool = True) -> Self:
        """Of the columns with these names; without totals, which take a pass, where nothing asks for them."""
        documents = np.bincount(counts.indices, minlength=counts.shape[1])
        return cls(names, documents, counts.sum(axis=0) if with_totals else documents, counts.shape[0])

    def __add__(self, other: "Frequencies") -> "Frequencies":  # type: ignore[override]
        names, place = np.unique(np.concatenate([self.names, other.names]), return_inverse=True)
        documents, totals = np.zeros((2, len(names)), dtype=np.int64)
        np.add.at(documents, place, np.concatenate([self.documents, other.documents]))
        np.add.at(totals, place, np.concatenate([self.totals, other.totals]))
        return Frequencies(names, documents, totals, self.n_documents + other.n_documents)


def _frequencies_of(bag: BagOfWords, documents: Iterable[object], name: str) -> Frequencies | None:
    """Of a chunk of documents, for options as those of the bag."""
    if isinstance(documents, str) or not (documents := list(documents)):
        _require_documents(documents)
        return None
    names, grams, counts = bag._find_and_count(documents)
    return Frequencies.of(names if grams is None else grams.names(), counts)


def _require_documents(documents: Iterable[object]) -> None:
    if isinstance(documents, str):
        raise TypeError("expected several documents (a list of str), received one str: put it in a list")
    if len(shape := getattr(documents, "shape", (0,))) != 1:
        raise TypeError(f"expected a list of str, received a table of shape {shape}: pass its column of texts")
