r"""From texts to numbers: what is counted in a whole corpus as one array, and the counts.

A word is a match of a regular expression. The usual patterns, such as `\w+` and scikit-learn's `\b\w\w+\b`, match the
runs of some characters and need no regular expression where a text is ASCII: the other characters become spaces.
"""

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from itertools import chain
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.text.word_lookup import SPACE, NumbersOf, WordLookup
from probml.typing import Mask

STOP = -2
"""Number of a stop word, which is removed before pairs are formed."""

CHUNK = 2**17
"""Characters handled at a time: the arrays of a chunk stay in the processor's cache."""

BLOCK = 2**16
"""Tokens sorted at a time: enough to make a loop over blocks cheap, few enough for the processor's cache."""

BETWEEN_SPACES = r"\S+"
"""What `str.split` finds, in less time: both part a text where `str.isspace` says so."""

WORD_CHARACTERS = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) == "_")
"""What `\\w` matches in ASCII."""

RUNS = {
    r"\w+": (WORD_CHARACTERS, 1),
    r"\b\w\w+\b": (WORD_CHARACTERS, 2),
    r"(?u)\b\w\w+\b": (WORD_CHARACTERS, 2),
    r"[a-z]+": (ascii_lowercase.encode(), 1),
    BETWEEN_SPACES: (bytes(code for code in range(128) if not chr(code).isspace()), 1),
}
"""ASCII characters whose runs a pattern matches, and the length of the shortest match."""

T = TypeVar("T")


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


def number_features(
    documents: Iterable[T], numbers_of: NumbersOf, analyze: Callable[[T], Iterable[Hashable]]
) -> Tokens:
    """Replace by its number whatever `analyze` finds in the documents, be it words or anything else."""
    found, bounds = array("i"), array("q", [0])
    for document in documents:
        found.extend(numbers_of(analyze(document)))
        bounds.append(len(found))
    return Tokens(np.frombuffer(found, dtype=np.intc), np.frombuffer(bounds, dtype=np.int64))


def number_tokens(documents: Iterable[str], numbers_of: NumbersOf, *, token_pattern: str, lowercase: bool) -> Tokens:
    """Replace each match of the pattern by its number."""
    find = str.split if token_pattern == BETWEEN_SPACES else re.compile(token_pattern).findall

    def words(text: str) -> list[str]:
        return find(text.lower() if lowercase else text)

    chunks = _chunks(documents)
    if token_pattern not in RUNS:
        return number_features(chain.from_iterable(chunks), numbers_of, words)
    characters, shortest = RUNS[token_pattern]
    lookup, table = WordLookup(numbers_of, shortest), _other_to_space(characters, lowercase)
    parts, sizes = [], [np.zeros(1, dtype=np.int64)]
    for chunk in chunks:
        # Beyond ASCII the regular expression finds the words; joined by spaces they go the same way as the others.
        plain = (text if text.isascii() else " ".join(words(text)) for text in chunk)
        encoded = [text.encode("utf-8", "surrogatepass") for text in plain]
        found, starts = lookup(SPACE.join(encoded).translate(table))
        ends_of_texts = np.cumsum([len(text) + 1 for text in encoded])
        parts.append(found)
        sizes.append(np.diff(np.searchsorted(starts, ends_of_texts), prepend=0))
    return Tokens(np.concatenate(parts), np.cumsum(np.concatenate(sizes)))


@cache
def _other_to_space(characters: bytes, lowercase: bool) -> bytes:
    """The table for `bytes.translate` that makes a space of all ASCII but these, and folds capitals first."""
    ascii_codes = bytes(range(128)).lower() if lowercase else bytes(range(128))
    return bytes(code if code in characters else ord(SPACE) for code in ascii_codes) + bytes(range(128, 256))


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


def count_rows(tokens: Tokens, n_columns: int) -> sparse.csr_array:
    """x_dn = how often number n occurs in document d: CSR of int64, canonical, shape (n_documents, n_columns).

    A pair (d, n) is one integer, d in its high bits and n in its low ones; sorted, equal pairs lie side by side.
    """
    numbers, bounds = tokens
    n_documents = len(bounds) - 1
    bits = n_columns.bit_length()
    index = sparse.get_index_dtype(maxval=n_columns)
    row_sizes = np.zeros(n_documents, dtype=np.int64)
    columns, counts = [np.empty(0, dtype=index)], [np.empty(0, dtype=np.int32)]
    start = 0
    while start < n_documents:
        stop = max(start + 1, np.searchsorted(bounds, bounds[start] + BLOCK, side="right") - 1)
        rows = np.repeat(np.arange(stop - start), np.diff(bounds[start : stop + 1]))
        pairs = np.sort(rows << bits | numbers[bounds[start] : bounds[stop]])
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        counts.append(np.diff(first, append=len(pairs)).astype(np.int32))
        pairs = pairs[first]
        columns.append((pairs & (1 << bits) - 1).astype(index))
        row_sizes[start:stop] = np.bincount(pairs >> bits, minlength=stop - start)
        start = stop
    row_bounds = np.concatenate([[0], np.cumsum(row_sizes)])
    index = sparse.get_index_dtype(maxval=max(n_columns, row_bounds[-1]))
    parts = np.concatenate(counts, dtype=np.int64), np.concatenate(columns, dtype=index), row_bounds.astype(index)
    return sparse.csr_array(parts, shape=(n_documents, n_columns))
