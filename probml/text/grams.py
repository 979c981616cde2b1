"""Single words and pairs of neighbours, as numbers.

With V words, numbered 0 to V - 1 in alphabetical order,

    word i        has the number  i (V + 1)
    pair i, j     has the number  i (V + 1) + j + 1.

If all characters of all words come after the space, the alphabetical order of "word_i" and "word_i word_j" is the order
of these numbers: a word comes before the pairs that begin with it, and these before any longer word.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from probml.text.tokens import Tokens
from probml.text.word_lookup import WordNumbers
from probml.typing import Indices, Labels

Integers: TypeAlias = NDArray[np.integer[Any]]

SPACE, UP_TO_SPACE = re.compile(" "), re.compile(r"[\x00- ]")


def gram_numbers(tokens: Tokens, n_words: int, ngram_range: tuple[int, int]) -> Tokens:
    """Numbers of the grams of each document. Tokens with a negative number are in no gram."""
    words, bounds = tokens
    shortest, longest = ngram_range
    known = words >= 0
    grams = np.full((len(words), 2), -1, dtype=np.int64)
    grams[known, 0] = words[known] * np.int64(n_words + 1)
    in_pair = known[:-1] & known[1:]
    in_pair[bounds[(bounds > 0) & (bounds < len(words))] - 1] = False  # the last word of a document has no neighbour
    first = np.flatnonzero(in_pair)
    grams[first, 1] = grams[first, 0] + words[first + 1] + 1
    grams = grams[:, shortest - 1 : longest]
    return Tokens(grams.ravel(), bounds * grams.shape[1]).only(grams.ravel() >= 0)


def distinct(numbers: Integers) -> tuple[Integers, NDArray[np.int32]]:
    """The distinct numbers, none negative, ascending, and the place of each number among them, as of `np.unique`.

    A number and its position, side by side in the bits of one integer, are sorted in a fraction of the time that it
    takes to find the order of the numbers.
    """
    bits = len(numbers).bit_length()
    if int(numbers.max(initial=0)).bit_length() + bits > 63:
        found, inverse = np.unique(numbers, return_inverse=True)
        return found, inverse.astype(np.int32)
    pairs = np.sort(numbers << bits | np.arange(len(numbers)))
    in_order = pairs >> bits
    new = np.diff(in_order, prepend=-1) > 0
    place = np.empty(len(numbers), dtype=np.int32)
    place[pairs & (1 << bits) - 1] = np.cumsum(new, dtype=np.int32) - 1
    return in_order[new], place


class GramColumns(NamedTuple):
    """Which column counts which gram.

    ngram_range : lengths of the grams. words : from word to number. grams : numbers of grams, ascending. columns : the
    column of each gram.
    """

    ngram_range: tuple[int, int]
    words: WordNumbers
    grams: Integers
    columns: Integers

    @classmethod
    def of_corpus(cls, tokens: Tokens, words: Labels, ngram_range: tuple[int, int]) -> tuple[Self, Tokens]:
        """Columns for all grams that occur, in alphabetical order, and the column of each gram of the documents.

        words : in alphabetical order, tokens : in their numbers.
        """
        numbers, bounds = gram_numbers(tokens, len(words), ngram_range)
        grams, place = distinct(numbers)
        numbered = dict(zip(words, range(len(words)), strict=True))
        found = cls(ngram_range, numbered, grams, np.arange(len(grams), dtype=np.int32))
        if UP_TO_SPACE.search("".join(words)):  # the order of the numbers is another one, and grams may share a name
            found = found._replace(columns=np.unique(found.names(), return_inverse=True)[1].astype(np.int32))
        return found, Tokens(found.columns[place], bounds)

    @classmethod
    def of_names(cls, names: Iterable[Any], ngram_range: tuple[int, int]) -> Self:
        """Columns with given names. A name has several readings as a gram if it has several spaces."""
        shortest, longest = ngram_range
        readings: list[tuple[int, tuple[str, ...]]] = []
        for column, name in enumerate(names):
            if shortest == 1:
                readings.append((column, (name,)))
            if longest == 2:
                readings += [(column, (name[: space.start()], name[space.end() :])) for space in SPACE.finditer(name)]
        words: WordNumbers = defaultdict(count().__next__)
        numbers = [(words[gram[0]], words[gram[1]] + 1 if len(gram) == 2 else 0, column) for column, gram in readings]
        first, second, columns = np.array(numbers, dtype=np.int64).reshape(-1, 3).T
        grams = first * (len(words) + 1) + second
        order = np.argsort(grams)
        return cls(ngram_range, dict(words), grams[order], columns[order])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.columns.max(initial=-1)) + 1

    def only(self, kept: Indices) -> Self:
        """The columns `kept`, numbered anew."""
        new_column = np.full(self.n_columns, -1)
        new_column[kept] = np.arange(len(kept))
        columns = new_column[self.columns]
        return self._replace(grams=self.grams[columns >= 0], columns=columns[columns >= 0])

    def names(self) -> Labels:
        """Names of the columns: "word" or "word word"."""
        words = np.fromiter(self.words, object, len(self.words))
        first, second = np.divmod(self.grams, len(words) + 1)
        names = words[first]
        pairs = np.flatnonzero(second)
        names[pairs] = (words + " ")[first[pairs]] + words[second[pairs] - 1]
        by_column = np.empty(self.n_columns, dtype=object)
        by_column[self.columns] = names
        return by_column

    def of_tokens(self, tokens: Tokens) -> Tokens:
        """The column of each gram of the documents; grams without a column are left out."""
        numbers, bounds = gram_numbers(tokens, len(self.words), self.ngram_range)
        found, place = distinct(numbers)
        grams = np.append(self.grams, np.iinfo(np.int64).max)  # a search always ends at a gram, at worst at this one
        nearest = np.searchsorted(grams, found)
        columns = np.where(grams[nearest] == found, np.append(self.columns, -1)[nearest], -1)[place]
        return Tokens(columns, bounds).only(columns >= 0)
