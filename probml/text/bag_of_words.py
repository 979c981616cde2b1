"""The bag of words: a document becomes the vector of its word counts."""

import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import count, islice
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted

from probml.inputs import is_whole, parameters
from probml.text.analysis import TOKEN_PATTERN, Analysis
from probml.text.checks import check_document_frequency, check_max_features, check_ngram_range
from probml.text.counts import count_rows
from probml.text.grams import GramColumns
from probml.text.numbering import Analyzer, is_quick, number_documents, number_words, stop_numbers
from probml.text.properties import word_properties
from probml.text.tokens import Tokens, check_documents
from probml.text.vocabulary import in_order_of_columns
from probml.text.word_lookup import WordNumbers
from probml.typing import Indices, Labels

Vocabulary: TypeAlias = Mapping[Hashable, int] | Iterable[Hashable]

UNKNOWN = -1
"""Number of an unknown word, which breaks a pair."""


class _KnownWords(dict[Hashable, int]):
    def __missing__(self, word: Hashable) -> int:
        return UNKNOWN


# Without set_output: counts are sparse, and no table holds them. The option is that of an untyped mixin.
@parameters
class BagOfWords(Analysis, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    r"""Count words: x_dn = number of times word n of the vocabulary occurs in document d.

    The matrix is that of scikit-learn's CountVectorizer with the same options, but for words with the same sum at the
    limit of `max_features`, of which CountVectorizer may keep others than the first in the alphabet. Words found by
    `token_pattern`, and pairs of them, are counted in a fraction of its time; other n-grams, characters and functions
    that are given take a way of their own, one document after another.

    Parameters
    ----------
    Those of CountVectorizer. They mean what they mean there, and have the same values unless given, but for
    `token_pattern`. A word may be whatever the analyzer finds: a word, an n-gram, a few characters.

    input : what the documents are, "content" (str or bytes), "filename" or "file" (anything with `read`).
    encoding, decode_error : how bytes are decoded.
    strip_accents : "ascii" (and drop what has no ASCII form), "unicode", a function from str to str, or None.
    lowercase : fold capitals first.
    preprocessor : function from a document to the text that is tokenized, in place of the two before.
    tokenizer : function from that text to its words, in place of `token_pattern`.
    stop_words : words that are removed first, as if they had not been written; "english" for scikit-learn's list.
    token_pattern : regular expression of a word; if it has a group, the group is the word. CountVectorizer passes over
        words of one letter, this pattern does not.
    ngram_range : shortest and longest n-gram. (1, 1) counts words, (2, 2) pairs of neighbours, written "word word",
        (1, 2) both.
    analyzer : "word"; "char", n characters at a time; "char_wb", n characters of a word at a time, with a space on
        either side of the word; or a function from a document to what is counted in it.
    max_df : largest number of documents (int), or largest share of them (float), that a word of a learned vocabulary
        occurs in.
    min_df : smallest number or share.
    max_features : keep this many words of a learned vocabulary, those with the largest sums over the matrix; words that
        come first in the alphabet win ties.
    vocabulary : the words to count, in the order of the columns; or a dict from word to column; or a set, which is put
        in alphabetical order. Learned from the documents if None.
    binary : whether a word occurs, 0 or 1, instead of how often.
    dtype : of the matrix.
    properties : names of properties of words (table in `probml.text.properties`). Each adds a column, named
        "property:capital" for example, that counts the words of a document, as it is written and with its stop words,
        that have the property.
    dictionary : well-spelt words, for the property "misspelling".

    Attributes
    ----------
    words_ : array of str, names of all columns. A learned vocabulary is in alphabetical order; properties come last.
    vocabulary_ : dict from word, or pair of words, to column.
    fixed_vocabulary_ : whether the vocabulary is given.
    """

    input: str = "content"
    encoding: str = "utf-8"
    decode_error: str = "strict"
    strip_accents: str | Callable[[str], str] | None = None
    lowercase: bool = True
    preprocessor: Callable[[object], str] | None = None
    tokenizer: Callable[[str], Iterable[Hashable]] | None = None
    stop_words: Collection[str] | str | None = None
    token_pattern: str | None = TOKEN_PATTERN
    ngram_range: tuple[int, int] = (1, 1)
    analyzer: str | Callable[[object], Iterable[Hashable]] = "word"
    max_df: int | float = 1.0
    min_df: int | float = 1
    max_features: int | None = None
    vocabulary: Vocabulary | None = None
    binary: bool = False
    dtype: DTypeLike = np.int64
    properties: Sequence[str] = ()
    dictionary: Collection[str] | None = None

    def fit(self, documents: Iterable[object], y: object = None) -> Self:
        """Learn the vocabulary."""
        self.fit_transform(documents)
        return self

    def fit_transform(self, documents: Iterable[object], y: object = None) -> sparse.csr_array:
        """Learn the vocabulary and count: a CSR array, shape (n_documents, n_columns)."""
        check_documents(documents)
        self._check_options()
        analyze = self.build_analyzer()
        self._warn(analyze)
        if self.vocabulary is not None:
            self._take_vocabulary(self.vocabulary, analyze)
            return self.transform(documents)
        documents = self._readable(documents)
        return self._finished(self._learn(documents, analyze), documents)

    def transform(self, documents: Iterable[object]) -> sparse.csr_array:
        """Count the words of the vocabulary; others are passed over. Shape (n_documents, n_columns)."""
        check_documents(documents)
        self._check_is_fitted()
        documents = self._readable(documents)
        analyze = self.build_analyzer()
        grams = self._grams_of(analyze)
        known = _KnownWords(self.vocabulary_ if grams is None else grams.words)
        known.update(stop_numbers(analyze))
        tokens = number_documents(documents, known, analyze)
        columns = tokens.only(tokens.numbers != UNKNOWN) if grams is None else grams.of_tokens(tokens, self.ngram_range)
        return self._finished(self._count(columns, len(self.vocabulary_)), documents)

    def inverse_transform(self, X: ArrayLike | sparse.sparray) -> list[Labels]:
        """The words of each document, those with an entry that is not zero. X : shape (n_documents, n_columns)."""
        self._check_is_fitted()
        X = sparse.csr_array(check_array(X, accept_sparse="csr"), copy=True)
        if X.shape[1] != len(self.words_):
            raise ValueError(f"X has {X.shape[1]} columns, but this bag of words has {len(self.words_)}")
        X = X[:, : len(self.vocabulary_)]
        X.sum_duplicates()
        X.eliminate_zeros()
        return np.split(self.words_[X.indices], X.indptr[1:-1])

    def get_feature_names_out(self, input_features: object = None) -> Labels:
        """Names of the columns."""
        self._check_is_fitted()
        return self.words_

    def __sklearn_tags__(self) -> Tags:
        """Texts come in, and whole numbers go out."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    @property
    def fixed_vocabulary_(self) -> bool:
        """Whether the vocabulary is given."""
        return self.vocabulary is not None

    def _check_is_fitted(self) -> None:
        """A vocabulary that is given needs no documents."""
        if self.vocabulary is not None and not hasattr(self, "words_"):
            self._check_options()
            self._take_vocabulary(self.vocabulary, self.build_analyzer())
        check_is_fitted(self, "words_")

    def _check_options(self) -> None:
        check_ngram_range(self.ngram_range)
        check_document_frequency("max_df", self.max_df)
        check_document_frequency("min_df", self.min_df)
        check_max_features(self.max_features)
        word_properties(self.properties, self.dictionary)
        if len(self.properties) and self.input == "file":
            raise ValueError("properties read a document once more, which a file does not allow: pass what it holds")

    def _take_vocabulary(self, vocabulary: Vocabulary, analyze: Analyzer) -> None:
        words = in_order_of_columns(vocabulary)
        if self.lowercase and self.preprocessor is None and not callable(self.analyzer):
            capitals = next((word for word in words if isinstance(word, str) and word != word.lower()), None)
            if capitals is not None:
                warnings.warn(f"vocabulary has {capitals!r}, which lowercase=True never finds", stacklevel=3)
        self._name_columns(np.fromiter(words, dtype=object, count=len(words)))
        grams = GramColumns.of_names(words, self.ngram_range) if _forms_grams(analyze) else None
        self._fitted_grams = self.ngram_range, grams

    def _grams_of(self, analyze: Analyzer) -> GramColumns | None:
        """Columns of the grams of the vocabulary, if they are still to be formed from the words that `analyze` finds.

        Options may be others than those of `fit`: the vocabulary stays, and is read anew.
        """
        if not _forms_grams(analyze):
            return None
        ngram_range, grams = self._fitted_grams
        same = grams is not None and ngram_range == self.ngram_range
        return grams if same else GramColumns.of_names(self.vocabulary_, self.ngram_range)

    def _readable(self, documents: Iterable[object]) -> Iterable[object]:
        """Documents that can be read as often as needed: properties read them once more, as they are written."""
        only_once = iter(documents) is documents
        return list(documents) if only_once and len(self.properties) else documents

    def _learn(self, documents: Iterable[object], analyze: Analyzer) -> sparse.csr_array:
        words, grams, counts = self._count_all(documents, analyze)
        kept = self._kept(counts)
        if len(kept) < counts.shape[1]:
            counts = counts[:, kept]
        grams = None if grams is None else grams.only(kept)
        self._fitted_grams = self.ngram_range, grams
        self._name_columns(words[kept] if grams is None else grams.names(words))
        return counts

    def _count_all(
        self, documents: Iterable[object], analyze: Analyzer
    ) -> tuple[Labels, GramColumns | None, sparse.csr_array]:
        """All words, all grams if they are still to be formed, and the counts of these."""
        words, tokens = self._find_words(documents, analyze)
        if not _forms_grams(analyze):
            return words, None, self._count(tokens, len(words))
        grams, columns = GramColumns.of_corpus(tokens, words, self.ngram_range)
        return words, grams, self._count(columns, grams.n_columns)

    def _find_words(self, documents: Iterable[object], analyze: Analyzer) -> tuple[Labels, Tokens]:
        """All words but the stop words, in alphabetical order, and the documents in their numbers."""
        stop_words = stop_numbers(analyze)
        numbers: WordNumbers = defaultdict(count().__next__, stop_words)  # a new word gets the next number
        tokens = number_documents(documents, numbers, analyze)
        words = np.fromiter(sorted(islice(numbers, len(stop_words), None)), object, len(numbers) - len(stop_words))
        rank = np.empty(len(words), dtype=np.int32)
        rank[np.fromiter(map(numbers.__getitem__, words), np.intp, len(words))] = np.arange(len(words))
        np.take(rank, tokens.numbers, out=tokens.numbers, mode="clip")  # in place: this is the largest array of all
        return words, tokens

    def _kept(self, counts: sparse.csr_array) -> Indices:
        """Columns of a learned vocabulary that `min_df`, `max_df` and `max_features` leave, ascending."""
        n_documents, n_found = counts.shape
        smallest, largest = (limit if is_whole(limit) else limit * n_documents for limit in (self.min_df, self.max_df))
        document_frequency = np.bincount(counts.indices, minlength=n_found)
        kept = np.flatnonzero((smallest <= document_frequency) & (document_frequency <= largest))
        if len(kept) == 0:
            raise ValueError(
                f"no word is left of {n_found} found in {n_documents} documents: they are empty, "
                f"or min_df={self.min_df}, max_df={self.max_df} or the stop words remove all"
            )
        if self.max_features is None or self.max_features >= len(kept):
            return kept
        totals = counts.sum(axis=0)[kept]
        return np.sort(kept[np.argsort(-totals, kind="stable")[: self.max_features]])

    def _name_columns(self, names: Labels) -> None:
        self.vocabulary_ = dict(zip(names, range(len(names)), strict=True))
        self.words_ = np.append(names, np.array([f"property:{name}" for name in self.properties], dtype=object))

    def _count(self, columns: Tokens, n_columns: int) -> sparse.csr_array:
        counts = count_rows(columns, n_columns)
        if self.binary:
            counts.data[:] = 1
        return counts

    def _finished(self, counts: sparse.csr_array, documents: Iterable[object]) -> sparse.csr_array:
        if len(self.properties):
            counts = sparse.hstack([counts, self._count_properties(documents)], format="csr")
        return counts.astype(self.dtype, copy=False)

    def _count_properties(self, documents: Iterable[object]) -> sparse.csr_array:
        numbers: WordNumbers = defaultdict(count().__next__)
        tokens = number_words(map(self.decode, documents), numbers, self.build_tokenizer(), lowercase=False)
        tests = word_properties(self.properties, self.dictionary)
        has_property = np.array([[test(word) for test in tests] for word in numbers], dtype=np.int64)
        having = count_rows(tokens, len(numbers)) @ has_property.reshape(-1, len(tests))  # (documents, properties)
        return sparse.csr_array(np.minimum(having, 1) if self.binary else having)


def _forms_grams(analyze: Analyzer) -> bool:
    """Whether the analyzer finds words, of which pairs are still to be formed."""
    return is_quick(analyze) and tuple(analyze.ngram_range) != (1, 1)
