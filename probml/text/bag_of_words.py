"""The bag of words: a document becomes the vector of its word counts."""

import warnings
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count, repeat
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted

from probml.inputs import is_number, is_whole, parameters
from probml.text.analysis import Analysis, Analyzer, warn_of_options
from probml.text.grams import GramColumns
from probml.text.properties import count_properties, word_properties
from probml.text.tokens import STOP, Tokens, count_rows, leaves_pairs, number_documents, stop_numbers
from probml.text.word_lookup import WordNumbers
from probml.typing import Indices, Labels

Vocabulary: TypeAlias = Mapping[Hashable, int] | Iterable[Hashable]

UNKNOWN = -1
"""Number of an unknown word, which breaks a pair."""


# Without set_output: counts are sparse, and no table holds them. The option is that of an untyped mixin.
@parameters
class BagOfWords(Analysis, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    r"""Count words: x_dn = number of times word n of the vocabulary occurs in document d.

    The matrix is that of scikit-learn's CountVectorizer with the same options, but for words with the same sum at the
    limit of `max_features`, of which CountVectorizer may keep others than the first in the alphabet. Words found by
    `token_pattern`, and pairs of them, are counted in a fraction of its time.

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
        documents = self._readable(documents)
        self._check_options()
        analyze = self.build_analyzer()
        warn_of_options(self, analyze, always_tokenizes=len(self.properties) > 0)
        if self.vocabulary is not None:
            self._take_vocabulary(self.vocabulary, analyze)
            return self.transform(documents)
        return self._finished(self._learn(documents, analyze), documents)

    def transform(self, documents: Iterable[object]) -> sparse.csr_array:
        """Count the words of the vocabulary; others are passed over. Shape (n_documents, n_columns)."""
        documents = self._readable(documents)
        self._check_is_fitted()
        analyze = self.build_analyzer()
        grams = self._grams
        if not leaves_pairs(analyze):
            grams = None
        elif grams is None or grams.ngram_range != self.ngram_range:  # an option that has changed since `fit`
            grams = GramColumns.of_names(self.vocabulary_, self.ngram_range)
        known = self.vocabulary_ if grams is None else grams.words
        if stop := stop_numbers(analyze):
            known = known | stop
        tokens = number_documents(documents, lambda words: map(known.get, words, repeat(UNKNOWN)), analyze)
        columns = tokens.only(tokens.numbers != UNKNOWN) if grams is None else grams.of_tokens(tokens)
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

    def _readable(self, documents: Iterable[object]) -> Iterable[object]:
        """Several documents, to be read as often as needed: properties read them once more, as they are written."""
        if isinstance(documents, str):
            raise TypeError("expected several documents (a list of str), received one str: put it in a list")
        if len(shape := getattr(documents, "shape", (0,))) != 1:
            raise TypeError(f"expected a list of str, received a table of shape {shape}: pass its column of texts")
        only_once = iter(documents) is documents
        return list(documents) if only_once and len(self.properties) else documents

    def _check_options(self) -> None:
        self.check_ngram_range()
        for name in ("max_df", "min_df"):
            limit = getattr(self, name)
            if not (_is_count(limit) if is_whole(limit) else is_number(limit) and 0 <= limit <= 1):
                allowed = "at least 1 document (int) or a share of the documents from 0.0 to 1.0 (float)"
                raise ValueError(f"{name} must be {allowed}, received {limit!r}")
        if not (self.max_features is None or _is_count(self.max_features)):
            allowed = "a number of words from 1 on, or None for all"
            raise ValueError(f"max_features must be {allowed}, received {self.max_features!r}")
        word_properties(self.properties, self.dictionary)
        if len(self.properties) and self.input == "file":
            raise ValueError("properties read a document once more, which a file does not allow: pass what it holds")

    def _take_vocabulary(self, vocabulary: Vocabulary, analyze: Analyzer) -> None:
        words = _in_order_of_columns(vocabulary)
        if self.lowercase and self.preprocessor is None and not callable(self.analyzer):
            capitals = next((word for word in words if isinstance(word, str) and word != word.lower()), None)
            if capitals is not None:
                warnings.warn(f"vocabulary has {capitals!r}, which lowercase=True never finds", stacklevel=3)
        self._name_columns(np.fromiter(words, dtype=object, count=len(words)))
        self._grams = GramColumns.of_names(words, self.ngram_range) if leaves_pairs(analyze) else None

    def _learn(self, documents: Iterable[object], analyze: Analyzer) -> sparse.csr_array:
        """Find all words, or grams, count them, and keep those that the limits leave as the vocabulary."""
        names, tokens = self._find_words(documents, analyze)
        n_columns, grams = len(names), None
        if leaves_pairs(analyze):
            grams, tokens = GramColumns.of_corpus(tokens, names, self.ngram_range)
            n_columns = grams.n_columns
        counts = self._count(tokens, n_columns)
        del tokens  # as large as the counts
        kept = self._kept(counts)
        self._grams = None if grams is None else grams.only(kept)
        self._name_columns(names[kept] if self._grams is None else self._grams.names())
        return counts[:, kept] if len(kept) < n_columns else counts

    def _find_words(self, documents: Iterable[object], analyze: Analyzer) -> tuple[Labels, Tokens]:
        """All words but the stop words, in alphabetical order, and the documents in their numbers."""
        numbers: WordNumbers = defaultdict(count().__next__, stop_numbers(analyze))  # a new word gets the next number
        tokens = number_documents(documents, partial(map, numbers.__getitem__), analyze)
        words = [word for word, number in numbers.items() if number != STOP]  # in the order of their numbers
        order = np.fromiter(sorted(range(len(words)), key=words.__getitem__), np.intp, len(words))
        rank = np.empty(len(words), dtype=np.int32)
        rank[order] = np.arange(len(words))
        np.take(rank, tokens.numbers, out=tokens.numbers, mode="clip")  # in place: this is the largest array of all
        return np.fromiter(words, object, len(words))[order], tokens

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
            tests = word_properties(self.properties, self.dictionary)
            having = count_properties(map(self.decode, documents), self.build_tokenizer(), tests)
            having = np.minimum(having, 1) if self.binary else having
            counts = sparse.hstack([counts, sparse.csr_array(having)], format="csr")
        return counts.astype(self.dtype, copy=False)


def _is_count(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 1)


def _in_order_of_columns(vocabulary: Vocabulary) -> list[Any]:
    """What is counted, column by column. A mapping names the columns; a set has alphabetical order."""
    if isinstance(vocabulary, str) or not isinstance(vocabulary, Iterable):
        raise TypeError(
            "vocabulary must be a list or set of words, or a dict from word to column, "
            f"received {type(vocabulary).__name__}"
        )
    if isinstance(vocabulary, Mapping):
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        wrong = next((column for column, word in enumerate(words) if vocabulary[word] != column), None)
        if wrong is not None:
            raise ValueError(
                f"vocabulary must give its {len(words)} words the columns 0 to {len(words) - 1}, one each: "
                f"column {wrong} is missing or repeated"
            )
    else:
        words = sorted(vocabulary) if isinstance(vocabulary, set | frozenset) else list(vocabulary)
    if len(words) == 0:
        raise ValueError("vocabulary is empty: give at least one word, or None to learn it")
    if len(set(words)) != len(words):
        raise ValueError("vocabulary has repeated words; each word is one column")
    return words
