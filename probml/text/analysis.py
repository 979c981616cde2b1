"""The steps from a document to what is counted in it, built from the options of a bag of words."""

import re
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, strip_accents_ascii, strip_accents_unicode

from probml.inputs import parameters

Document: TypeAlias = Any  # str, or whatever a preprocessor or an analyzer of the user's takes
Decoder = Callable[[Document], Document]
Preprocessor = Callable[[Document], str]
Tokenizer = Callable[[str], Iterable[Any]]  # words of any type that can be hashed; n-grams are formed of str
Analyzer = Callable[[Document], Iterable[Hashable]]

TOKEN_PATTERN = r"\w+"
STRIP_ACCENTS = {None: None, "ascii": strip_accents_ascii, "unicode": strip_accents_unicode}
SEVERAL_SPACES = re.compile(r"\s\s+")


@dataclass(frozen=True)
class Preprocess:
    """Fold capitals, then strip accents."""

    lowercase: bool
    strip_accents: Callable[[str], str] | None

    def __call__(self, text: str) -> str:
        """The text as it is tokenized."""
        if not isinstance(text, str):
            raise TypeError(f"a document is {type(text).__name__}, expected str")
        text = text.lower() if self.lowercase else text
        return text if self.strip_accents is None else self.strip_accents(text)


@dataclass(frozen=True)
class Matches:
    """The matches of a regular expression, or of its group, if it has one."""

    expression: re.Pattern[str]

    def __call__(self, text: str) -> list[Any]:
        """The words of a text, in order."""
        return self.expression.findall(text)


@dataclass(frozen=True)
class Words:
    """The words of a document but the stop words, and n neighbours at a time, "word word word"."""

    decode: Decoder
    preprocess: Preprocessor
    tokenize: Tokenizer
    stop_words: frozenset[str]
    ngram_range: tuple[int, int]

    def text(self, document: Document) -> str:
        """What is tokenized."""
        return self.preprocess(self.decode(document))

    def __call__(self, document: Document) -> list[Any]:
        """Its n-grams, the shortest first."""
        words = [word for word in self.tokenize(self.text(document)) if word not in self.stop_words]
        if self.ngram_range == (1, 1):
            return words  # of any type
        sizes = _sizes(self.ngram_range, len(words))
        return [" ".join(words[start : start + n]) for n in sizes for start in range(len(words) - n + 1)]


def _sizes(ngram_range: tuple[int, int], available: int) -> range:
    """The n of the n-grams of so many words or characters."""
    shortest, longest = ngram_range
    return range(shortest, min(longest, available) + 1)


def _neighbours(text: str, ngram_range: tuple[int, int]) -> list[str]:
    """n characters at a time, the shortest n first."""
    return [text[start : start + n] for n in _sizes(ngram_range, len(text)) for start in range(len(text) - n + 1)]


def characters(
    decode: Decoder, preprocess: Preprocessor, ngram_range: tuple[int, int], document: Document
) -> list[str]:
    """n characters of a document at a time, with white space as one space."""
    return _neighbours(SEVERAL_SPACES.sub(" ", preprocess(decode(document))), ngram_range)


def characters_of_words(
    decode: Decoder, preprocess: Preprocessor, ngram_range: tuple[int, int], document: Document
) -> list[str]:
    """n characters at a time of each word, which stands between white space and gets a space on either side.

    A word that is shorter than n counts as a whole, once.
    """
    padded = [f" {word} " for word in preprocess(decode(document)).split()]
    return [gram for word in padded for gram in _neighbours(word, ngram_range) or [word]]


def found_by_function(decode: Decoder, analyze: Analyzer, document: Document) -> Iterable[Hashable]:
    """What a function of the user's finds in a document."""
    return analyze(decode(document))


@parameters
class Analysis:
    """Decode, preprocess, tokenize, form n-grams. A subclass may build any of these steps in another way."""

    input: str = "content"
    encoding: str = "utf-8"
    decode_error: str = "strict"
    strip_accents: str | Callable[[str], str] | None = None
    lowercase: bool = True
    preprocessor: Preprocessor | None = None
    tokenizer: Tokenizer | None = None
    stop_words: Collection[str] | str | None = None
    token_pattern: str | None = TOKEN_PATTERN
    ngram_range: tuple[int, int] = (1, 1)
    analyzer: str | Analyzer = "word"

    def decode(self, document: Document) -> Document:
        """The content of a document: bytes become str. What is neither is left to the preprocessor or the analyzer."""
        if self.input not in ("content", "filename", "file"):
            raise ValueError(f"input must be 'content', 'filename', 'file', received {self.input!r}")
        if self.input == "filename":
            with open(document, "rb") as file:
                document = file.read()
        elif self.input == "file":
            document = document.read()
        return document.decode(self.encoding, self.decode_error) if isinstance(document, bytes) else document

    def check_ngram_range(self) -> None:
        """Refuse what is not a shortest and a longest n."""
        match self.ngram_range:
            case (int(shortest), int(longest)) if isinstance(self.ngram_range, tuple) and 1 <= shortest <= longest:
                return
        raise ValueError(
            "ngram_range must be (shortest, longest) with 1 <= shortest <= longest, such as (1, 2) for words and "
            f"pairs, received {self.ngram_range!r}"
        )

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
        pattern = self.token_pattern
        if pattern is None:
            raise ValueError("token_pattern must be a regular expression, received None: give one, or a tokenizer")
        try:
            expression = re.compile(pattern)
        except (re.error, TypeError) as error:
            raise ValueError(f"token_pattern must be a regular expression, received {pattern!r}: {error}") from error
        if expression.groups > 1:
            raise ValueError(f"token_pattern {pattern!r} has more than one group: which one is the word?")
        return Matches(expression)

    def get_stop_words(self) -> frozenset[str] | None:
        """The stop words, or None."""
        given = self.stop_words
        if given is None:
            return None
        if isinstance(given, str):
            if given != "english":
                raise ValueError(f"the only list of stop words with a name is 'english', received {given!r}")
            given = ENGLISH_STOP_WORDS
        if not isinstance(given, list | tuple | set | frozenset | np.ndarray):
            raise TypeError(f"stop_words must be a list of words or 'english', received {type(given).__name__}")
        for word in given:
            if not isinstance(word, str):
                raise TypeError(f"stop_words has {word!r}, expected only str")
        return frozenset(given)

    def build_analyzer(self) -> Analyzer:
        """The function from a document to what is counted in it."""
        if callable(self.analyzer):
            return partial(found_by_function, self.decode, self.analyzer)
        preprocess = self.build_preprocessor()
        if self.analyzer == "char":
            return partial(characters, self.decode, preprocess, self.ngram_range)
        if self.analyzer == "char_wb":
            return partial(characters_of_words, self.decode, preprocess, self.ngram_range)
        if self.analyzer == "word":
            stop_words = self.get_stop_words() or frozenset()
            return Words(self.decode, preprocess, self.build_tokenizer(), stop_words, self.ngram_range)
        raise ValueError(f"analyzer must be 'word', 'char', 'char_wb' or a function, received {self.analyzer!r}")


def warn_of_options(options: Analysis, analyze: Analyzer, *, always_tokenizes: bool) -> None:
    """Say which options have no effect, or not the one that was meant."""
    by_function, no_words = callable(options.analyzer), options.analyzer != "word"
    tokenizer, pattern = options.tokenizer is not None, options.token_pattern not in (None, TOKEN_PATTERN)
    for name, unused, reason in (
        ("preprocessor", by_function and options.preprocessor is not None, "analyzer is a function"),
        ("ngram_range", by_function and options.ngram_range != (1, 1), "analyzer is a function"),
        ("token_pattern", tokenizer and pattern, "tokenizer is given"),
        ("stop_words", no_words and options.stop_words is not None, "analyzer is not 'word'"),
        ("tokenizer", no_words and tokenizer and not always_tokenizes, "analyzer is not 'word'"),
        ("token_pattern", no_words and pattern and not always_tokenizes, "analyzer is not 'word'"),
    ):
        if unused:
            warnings.warn(f"{name} is not used, since {reason}", stacklevel=4)
    if isinstance(analyze, Words) and (words := _not_removed(analyze)):
        warnings.warn(
            f"stop_words are inconsistent with the preprocessing: preprocessed and tokenized they contain {words}, "
            f"which are not among them and so are not removed",
            stacklevel=4,
        )


def _not_removed(analyze: Words) -> list[str]:
    """What is found in the stop words and is no stop word: "ve", if "you've" is found as "you" and "ve"."""
    try:
        found = {word for stop_word in analyze.stop_words for word in analyze.tokenize(analyze.preprocess(stop_word))}
    except Exception:  # one that expects other documents than str cannot be asked about words
        return []
    return sorted(found - analyze.stop_words)
