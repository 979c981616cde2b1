"""The steps from a document to what is counted in it, built from the options of a bag of words."""

import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, strip_accents_ascii, strip_accents_unicode

from probml.text.analyzers import (
    Characters,
    CharactersOfWords,
    Document,
    Given,
    Matches,
    Preprocess,
    Preprocessor,
    Tokenizer,
    Words,
)
from probml.text.checks import check_analyzer, check_input, check_stop_words, check_token_pattern

TOKEN_PATTERN = r"\w+"
"""Unless another is given."""

STRIP_ACCENTS: dict[str | None, Callable[[str], str] | None] = {
    None: None,
    "ascii": strip_accents_ascii,
    "unicode": strip_accents_unicode,
}


class Analysis:
    """Decode, preprocess, tokenize, form n-grams. A subclass may build any of these steps in another way."""

    input: str
    encoding: str
    decode_error: str
    strip_accents: str | Callable[[str], str] | None
    lowercase: bool
    preprocessor: Callable[[object], str] | None
    tokenizer: Callable[[str], Iterable[Hashable]] | None
    stop_words: Collection[str] | str | None
    token_pattern: str | None
    ngram_range: tuple[int, int]
    analyzer: str | Callable[[object], Iterable[Hashable]]
    properties: Sequence[str]

    def decode(self, document: Document) -> Document:
        """The content of a document: bytes become str. What is neither is left to the preprocessor or the analyzer."""
        check_input(self.input)
        if self.input == "filename":
            with open(document, "rb") as file:
                document = file.read()
        elif self.input == "file":
            document = document.read()
        return document.decode(self.encoding, self.decode_error) if isinstance(document, bytes) else document

    def build_preprocessor(self) -> Preprocessor:
        """The function from a text to the text that is tokenized."""
        if self.preprocessor is not None:
            return self.preprocessor
        if callable(self.strip_accents):
            return Preprocess(self.lowercase, self.strip_accents)
        if self.strip_accents not in STRIP_ACCENTS:
            raise ValueError(
                f"strip_accents must be 'ascii', 'unicode', a function or None, received {self.strip_accents!r}"
            )
        return Preprocess(self.lowercase, STRIP_ACCENTS[self.strip_accents])

    def build_tokenizer(self) -> Tokenizer:
        """The function from a preprocessed text to its words."""
        if self.tokenizer is not None:
            return self.tokenizer
        return Matches(check_token_pattern(self.token_pattern))

    def get_stop_words(self) -> frozenset[str] | None:
        """The stop words, or None."""
        if self.stop_words is None:
            return None
        check_stop_words(self.stop_words)
        return ENGLISH_STOP_WORDS if isinstance(self.stop_words, str) else frozenset(self.stop_words)

    def build_analyzer(self) -> Callable[[object], Iterable[Hashable]]:
        """The function from a document to what is counted in it."""
        check_analyzer(self.analyzer)
        if callable(self.analyzer):
            return Given(self.decode, self.analyzer)
        preprocess = self.build_preprocessor()
        if self.analyzer == "char":
            return Characters(self.decode, preprocess, self.ngram_range)
        if self.analyzer == "char_wb":
            return CharactersOfWords(self.decode, preprocess, self.ngram_range)
        stop_words = self.get_stop_words() or frozenset()
        return Words(self.decode, preprocess, self.build_tokenizer(), stop_words, self.ngram_range)

    def _warn(self, analyze: Callable[[object], Iterable[Hashable]]) -> None:
        """Say which options have no effect, or not the one that was meant."""
        for name, reason in self._unused():
            warnings.warn(f"{name} is not used, since {reason}", stacklevel=4)
        if isinstance(analyze, Words) and (words := _not_removed(analyze)):
            warnings.warn(
                f"stop_words are inconsistent with the preprocessing: preprocessed and tokenized they contain {words}, "
                f"which are not among them and so are not removed",
                stacklevel=4,
            )

    def _unused(self) -> Iterator[tuple[str, str]]:
        has_pattern = self.token_pattern not in (None, TOKEN_PATTERN)
        if callable(self.analyzer):
            if self.preprocessor is not None:
                yield "preprocessor", "analyzer is a function"
            if self.ngram_range != (1, 1):
                yield "ngram_range", "analyzer is a function"
        if self.tokenizer is not None and has_pattern:
            yield "token_pattern", "tokenizer is given"
        if self.analyzer == "word":
            return
        if self.stop_words is not None:
            yield "stop_words", "analyzer is not 'word'"
        if self.tokenizer is not None and not len(self.properties):  # properties are those of words in any case
            yield "tokenizer", "analyzer is not 'word'"
        if has_pattern and not len(self.properties):
            yield "token_pattern", "analyzer is not 'word'"


def _not_removed(analyze: Words) -> list[str]:
    """What is found in the stop words and is no stop word: "ve", if "you've" is found as "you" and "ve"."""
    try:
        found = {word for stop_word in analyze.stop_words for word in analyze.tokenize(analyze.preprocess(stop_word))}
    except Exception:  # one that expects other documents than str cannot be asked about words
        return []
    return sorted(found - analyze.stop_words)
