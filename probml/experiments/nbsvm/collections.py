"""Texts of two classes, counted once, and cut into training and test parts as often as needed."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.datasets import Dataset
from probml.text import BagOfWords

GRAMS = {"uni": (1, 1), "bi": (1, 2)}
BETWEEN_SPACES = r"\S+"
"""A word is what stands between spaces, with its comma or bracket: the numbers say that the authors did it so."""


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


def counted(texts: Sequence[str], y: NDArray[np.intp], grams: str, **options: object) -> Collection:
    """Texts as a collection. grams : "uni" or "bi". options : of `BagOfWords`."""
    bag = BagOfWords(ngram_range=GRAMS[grams], binary=True, **{"token_pattern": BETWEEN_SPACES, **options})
    return Collection(bag.fit_transform(texts).astype(np.float64), y)


def published_split(data: Dataset, grams: str, **options: object) -> Parts:
    """Training and test part of a set of reviews that has them; line breaks, written as <br />, are spaces."""
    bag = BagOfWords(ngram_range=GRAMS[grams], binary=True, **{"token_pattern": BETWEEN_SPACES, **options})
    X_train = bag.fit_transform(_without_breaks(data.train.X)).astype(np.float64)
    return Parts(X_train, data.train.y, bag.transform(_without_breaks(data.test.X)).astype(np.float64), data.test.y)


def _without_breaks(texts: Sequence[str]) -> list[str]:
    return [text.replace("<br />", " ") for text in texts]


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
