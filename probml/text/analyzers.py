"""From a document to what is counted in it, one document at a time: words, n-grams of words, n-grams of characters."""

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

Document: TypeAlias = Any  # str, or whatever a preprocessor or an analyzer of the user's takes
Preprocessor = Callable[[str], str]
Tokenizer = Callable[[str], Iterable[Any]]  # words of any type that can be hashed; n-grams are formed of str

SEVERAL_SPACES = re.compile(r"\s\s+")


@dataclass(frozen=True)
class Preprocess:
    """Fold capitals, then strip accents."""

    lowercase: bool
    strip_accents: Preprocessor | None = None

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

    def __call__(self, text: str) -> list[str]:
        """The words of a text, in order."""
        words: list[str] = self.expression.findall(text)
        return words


@dataclass(frozen=True)
class Words:
    """The words of a document but the stop words, and n neighbours at a time, "word word word"."""

    decode: Callable[[Document], Document]
    preprocess: Preprocessor
    tokenize: Tokenizer
    stop_words: frozenset[str]
    ngram_range: tuple[int, int]

    def text(self, document: object) -> str:
        """What is tokenized."""
        return self.preprocess(self.decode(document))

    def __call__(self, document: object) -> list[Hashable]:
        """Its n-grams, the shortest first."""
        words = [word for word in self.tokenize(self.text(document)) if word not in self.stop_words]
        if self.ngram_range == (1, 1):
            return words  # of any type
        return [
            " ".join(words[start : start + n])
            for n in _lengths(self.ngram_range, len(words))
            for start in range(len(words) - n + 1)
        ]


@dataclass(frozen=True)
class Characters:
    """n characters of a document at a time, with white space as one space."""

    decode: Callable[[Document], Document]
    preprocess: Preprocessor
    ngram_range: tuple[int, int]

    def __call__(self, document: object) -> list[str]:
        """Its n-grams, the shortest first."""
        text = SEVERAL_SPACES.sub(" ", self.preprocess(self.decode(document)))
        return [
            text[start : start + n] for n in _lengths(self.ngram_range, len(text)) for start in range(len(text) - n + 1)
        ]


@dataclass(frozen=True)
class CharactersOfWords:
    """n characters at a time of each word, which stands between white space and gets a space on either side.

    A word that is shorter than n counts as a whole, once.
    """

    decode: Callable[[Document], Document]
    preprocess: Preprocessor
    ngram_range: tuple[int, int]

    def __call__(self, document: object) -> list[str]:
        """Its n-grams, word after word."""
        shortest, longest = self.ngram_range
        grams = []
        for word in self.preprocess(self.decode(document)).split():
            padded = f" {word} "
            for n in range(shortest, max(shortest, min(longest, len(padded))) + 1):
                grams += [padded[start : start + n] for start in range(max(len(padded) - n, 0) + 1)]
        return grams


@dataclass(frozen=True)
class Given:
    """What a function of the user's finds."""

    decode: Callable[[Document], Document]
    analyze: Callable[[object], Iterable[Hashable]]

    def __call__(self, document: object) -> Iterable[Hashable]:
        """What it finds in a document."""
        return self.analyze(self.decode(document))


def _lengths(ngram_range: tuple[int, int], size: int) -> range:
    """The n of the n-grams of something of this size."""
    shortest, longest = ngram_range
    return range(shortest, min(longest, size) + 1)
