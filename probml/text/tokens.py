r"""From texts to numbers: the words of a whole corpus as one array.

A token is a match of a regular expression. The usual patterns, such as `\w+` and scikit-learn's `\b\w\w+\b`, match the
runs of some characters and need no regular expression where a text is ASCII: the other characters become spaces.
"""

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from probml.text.word_lookup import SPACE, WordLookup, WordNumbers
from probml.typing import Mask

BETWEEN_SPACES = r"\S+"
"""What `str.split` finds, in less time: both part a text where `str.isspace` says so."""

CHUNK = 2**17
"""Characters handled at a time: the arrays of a chunk stay in the processor's cache."""

ASCII = [chr(code) for code in range(128)]


T = TypeVar("T")


class Runs(NamedTuple):
    """A pattern that matches the runs of these ASCII characters, of so many characters at least."""

    characters: frozenset[str]
    shortest: int = 1


WORD_CHARACTERS = frozenset(character for character in ASCII if character.isalnum() or character == "_")
"""What `\\w` matches in ASCII."""

RUNS = {
    r"\w+": Runs(WORD_CHARACTERS),
    r"\b\w\w+\b": Runs(WORD_CHARACTERS, 2),
    r"(?u)\b\w\w+\b": Runs(WORD_CHARACTERS, 2),
    r"[a-z]+": Runs(frozenset(ascii_lowercase)),
    BETWEEN_SPACES: Runs(frozenset(character for character in ASCII if not character.isspace())),
}
"""By pattern."""

FILLER = "\0"
"""What fills up short words where words are looked up: a text that has it itself is left to the regular expression."""


class Tokens(NamedTuple):
    """All tokens, document after document. Document d has numbers[bounds[d]:bounds[d + 1]]."""

    numbers: NDArray[np.integer[Any]]
    bounds: NDArray[np.int64]

    def only(self, kept: Mask) -> "Tokens":
        """The tokens where `kept` is true, shape (n_tokens,)."""
        if kept.all():
            return self
        removed_before = np.searchsorted(np.flatnonzero(~kept), self.bounds)
        return Tokens(self.numbers[kept], self.bounds - removed_before)


def check_documents(documents: Iterable[object]) -> None:
    """Several documents, one after another."""
    if isinstance(documents, str):
        raise TypeError("expected several documents (a list of str), received one str: put it in a list")
    if len(shape := getattr(documents, "shape", (0,))) != 1:
        raise TypeError(f"expected a list of str, received a table of shape {shape}: pass its column of texts")


def number_tokens(documents: Iterable[str], numbers: WordNumbers, *, token_pattern: str, lowercase: bool) -> Tokens:
    """Replace each token by its number.

    numbers : from word to number; what it does with a word it does not hold is its own affair (`__missing__`).
    """
    find = str.split if token_pattern == BETWEEN_SPACES else re.compile(token_pattern).findall

    def tokens(document: str) -> list[str]:
        return find(document.lower() if lowercase else document)

    number = _by_regex(numbers, tokens)
    if token_pattern in RUNS:
        number = _by_runs(numbers, tokens, lowercase, RUNS[token_pattern], number)
    parts, sizes = [np.empty(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)]
    for chunk in _chunks(documents):
        part, sizes_of_documents = number(chunk)
        parts.append(part)
        sizes.append(sizes_of_documents)
    return Tokens(np.concatenate(parts), np.cumsum(np.concatenate(sizes)))


def number_features(documents: Iterable[T], numbers: WordNumbers, analyze: Callable[[T], Iterable[Hashable]]) -> Tokens:
    """Replace by its number whatever `analyze` finds in the documents, be it words or anything else."""
    found, bounds = array("i"), array("q", [0])
    for document in documents:
        found.extend(map(numbers.__getitem__, analyze(document)))
        bounds.append(len(found))
    return Tokens(np.frombuffer(found, dtype=np.intc), np.frombuffer(bounds, dtype=np.int64))


def _chunks(documents: Iterable[str]) -> Iterator[list[str]]:
    chunk, size = [], 0
    for index, document in enumerate(documents):
        if not isinstance(document, str):
            raise TypeError(f"document {index} is {type(document).__name__}, expected str")
        chunk.append(document)
        size += len(document)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    yield chunk


Numbering = Callable[[list[str]], tuple[NDArray[np.int32], NDArray[np.int64]]]
"""From documents to the numbers of their tokens, and how many tokens each document has."""


def _by_regex(numbers: WordNumbers, tokens: Callable[[str], list[str]]) -> Numbering:
    def number(chunk: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        found, sizes = [], []
        for document in chunk:
            words = tokens(document)
            found += words
            sizes.append(len(words))
        return np.fromiter(map(numbers.__getitem__, found), np.int32, len(found)), np.array(sizes, dtype=np.int64)

    return number


def _by_runs(
    numbers: WordNumbers, tokens: Callable[[str], list[str]], lowercase: bool, runs: Runs, otherwise: Numbering
) -> Numbering:
    lookup = WordLookup(numbers, runs.shortest)
    table = bytearray(SPACE * 128) + bytearray(range(128, 256))  # from 128 on: parts of characters beyond ASCII
    for code, character in enumerate(ASCII):
        written = character.lower() if lowercase else character
        if written in runs.characters:
            table[code] = ord(written)

    def number(chunk: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        if FILLER in runs.characters and any(FILLER in text for text in chunk):
            return otherwise(chunk)
        # Beyond ASCII the regular expression finds the words; joined by spaces they go the same way as the others.
        try:
            texts = [(text if text.isascii() else " ".join(tokens(text))).encode() for text in chunk]
        except UnicodeEncodeError:  # half a character
            return otherwise(chunk)
        found, starts = lookup(SPACE.join(texts).translate(table))
        ends_of_texts = np.cumsum([len(text) + 1 for text in texts])
        return found, np.diff(np.searchsorted(starts, ends_of_texts), prepend=0)

    return number
