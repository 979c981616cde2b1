"""Texts of two classes, counted once, and cut into training and test parts as often as needed.

A word is what stands between spaces, with its comma or bracket: the numbers say that the authors did it so.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.datasets import Dataset
from probml.text.grams import distinct, gram_numbers
from probml.text.tokens import BETWEEN_SPACES, Tokens, count_rows, number_tokens

GRAMS = {"uni": (1, 1), "bi": (1, 2)}
PUBLISHED_HALVES = np.arange(25_000), np.arange(25_000, 50_000)
"""Training and test reviews of IMDB."""


class Parts(NamedTuple):
    """0/1 features and classes of a training and a test part; the vocabulary is that of the training part."""

    X_train: sparse.csr_array
    y_train: NDArray[np.intp]
    X_test: sparse.csr_array
    y_test: NDArray[np.intp]


class Collection(NamedTuple):
    """Which words, or words and pairs, a text has: X, CSR, shape (texts, grams). y : 0 or 1, shape (texts,)."""

    X: sparse.csr_array
    y: NDArray[np.intp]

    def cut(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> Parts:
        """The texts with these numbers. Grams that the training part does not have are passed over."""
        X_train = self.X[train]
        known = np.flatnonzero(np.bincount(X_train.indices, minlength=self.X.shape[1]))
        return Parts(X_train[:, known], self.y[train], self.X[test][:, known], self.y[test])


class Words(NamedTuple):
    """Texts as the numbers of their words, which are numbered in alphabetical order."""

    tokens: Tokens
    n_words: int

    @classmethod
    def of(cls, texts: Iterable[str], token_pattern: str = BETWEEN_SPACES) -> Self:
        """The words of all texts, in lower case."""
        numbers: dict[str, int] = defaultdict(count().__next__)  # a new word gets the next number
        numbers_of = partial(map, numbers.__getitem__)
        tokens = number_tokens(texts, numbers_of, token_pattern=token_pattern, lowercase=True)
        rank = np.empty(len(numbers), dtype=np.int32)
        rank[[numbers[word] for word in sorted(numbers)]] = np.arange(len(numbers))
        return cls(Tokens(rank[tokens.numbers], tokens.bounds), len(numbers))

    def of_rows(self, rows: NDArray[np.intp]) -> Self:
        """Some of the texts, in this order."""
        sizes = np.diff(self.tokens.bounds)[rows]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        position = np.arange(bounds[-1]) - np.repeat(bounds[:-1], sizes) + np.repeat(self.tokens.bounds[rows], sizes)
        return self._replace(tokens=Tokens(self.tokens.numbers[position], bounds))

    def window(self, length: int | None, place: NDArray[np.float64]) -> Self:
        """`length` words in a row of each text, or all of them if it has no more (or if `length` is None).

        place : where the window lies, from 0 (the first words) to 1 (the last ones), shape (texts,)
        """
        if length is None:
            return self
        starts, sizes = self.tokens.bounds[:-1], np.diff(self.tokens.bounds)
        begin = np.floor(place * (np.maximum(sizes - length, 0) + 1)).astype(np.int64)
        begin = np.minimum(begin, np.maximum(sizes - length, 0))  # where place is 1
        position = np.arange(len(self.tokens.numbers)) - np.repeat(starts + begin, sizes)
        return self._replace(tokens=self.tokens.only((position >= 0) & (position < length)))

    def collection(self, y: NDArray[np.intp], grams: str) -> Collection:
        """Which words ("uni"), or words and pairs of neighbours ("bi"), each text has."""
        columns, n_columns = self.tokens, self.n_words
        if GRAMS[grams] != (1, 1):
            numbers, bounds = gram_numbers(self.tokens, self.n_words, GRAMS[grams])
            found, place = distinct(numbers)
            columns, n_columns = Tokens(place, bounds), len(found)
        X = count_rows(columns, n_columns)
        return Collection(sparse.csr_array((np.ones(X.nnz), X.indices, X.indptr), shape=X.shape), y)


def counted(texts: Sequence[str], y: NDArray[np.intp], grams: str, token_pattern: str = BETWEEN_SPACES) -> Collection:
    """Texts as a collection. grams : "uni" or "bi"."""
    return Words.of(texts, token_pattern).collection(y, grams)


def without_breaks(texts: Iterable[str]) -> Iterator[str]:
    """Reviews in which line breaks, written as <br />, are spaces."""
    return (text.replace("<br />", " ") for text in texts)


def two_groups(
    data: Dataset, groups: tuple[str, str], prepare: Callable[[str], str] = str
) -> tuple[list[str], NDArray[np.intp]]:
    """The posts of two groups, each as `prepare` leaves it, and 1 for those of the second group."""
    first, second = (data.class_names.index(group) for group in groups)
    rows = np.flatnonzero((data.y == first) | (data.y == second))
    return [prepare(data.X[row]) for row in rows], (data.y[rows] == second).astype(np.intp)


def halves(m: int, n_splits: int, seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Random halves of m texts, `n_splits` times."""
    for split in range(n_splits):
        order = np.random.default_rng([seed, split]).permutation(m)
        yield order[: m // 2], order[m // 2 :]


def folds(m: int, k: int, seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Each of k parts of m texts once as test part."""
    fold = np.random.default_rng(seed).permutation(m) % k
    for part in range(k):
        yield np.flatnonzero(fold != part), np.flatnonzero(fold == part)


def halves_of_threads(
    posts: Sequence[str], n_splits: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Random halves of posts in which no subject stands on both sides; posts with their headers are needed."""
    thread = np.unique([subject(post) for post in posts], return_inverse=True)[1]
    for split in range(n_splits):
        order = np.random.default_rng([seed, split]).permutation(thread.max() + 1)
        rank = np.argsort(order)[thread]  # threads in a random order, their posts together
        by_thread = np.argsort(rank, kind="stable")
        cut = np.searchsorted(rank[by_thread], rank[by_thread[len(posts) // 2]])  # where a thread begins
        yield by_thread[:cut], by_thread[cut:]


def subject(post: str) -> str:
    """The subject line of a post, in lower case and without "Re:"; empty if there is none."""
    found = re.search(r"^Subject: *(?:re: *)*(.*)", post.partition("\n\n")[0], re.MULTILINE | re.IGNORECASE)
    return found[1].strip().lower() if found else ""
