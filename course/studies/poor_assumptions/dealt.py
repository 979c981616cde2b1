"""Posts whose words are dealt anew among similar posts: what goes together is taken apart."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

POSTS_OF_A_SET = 50  # among which words are dealt


def dealt_anew(X: sparse.csr_array, y: NDArray[np.intp], rng: np.random.Generator, *, bursts: bool) -> sparse.csr_array:
    """Counts of as many posts, shape (m, n), in which no word tells anything about another one, given the class.

    Posts of one class and about the same length form a set, and each word is dealt anew among them.
    bursts : whether the counts of a word are dealt, one to each post; otherwise its occurrences are dealt one by one,
        to each post in proportion to its length, as independent draws have it.

    X : counts, shape (m, n). y : classes, shape (m,).
    """
    rows, columns, counts = [], [], []
    for posts in _sets(X.sum(axis=1), y):
        here = X[posts]
        words = np.unique(here.indices)
        in_set = here[:, words].toarray()
        dealt = rng.permuted(in_set, axis=0) if bursts else _one_by_one(in_set, rng)
        row, column = np.nonzero(dealt)
        rows.append(posts[row])
        columns.append(words[column])
        counts.append(dealt[row, column])
    at = np.concatenate(rows), np.concatenate(columns)
    return sparse.csr_array((np.concatenate(counts), at), shape=X.shape)


def _one_by_one(in_set: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Each column's total divided among the rows by their sums."""
    length = in_set.sum(axis=1)
    return rng.multinomial(in_set.sum(axis=0).astype(np.intp), length / length.sum()).T.astype(np.float64)


def _sets(length: NDArray[np.float64], y: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Rows of posts of one class with words in them, about `POSTS_OF_A_SET` at a time, in the order of length."""
    for label in np.unique(y):
        posts = np.flatnonzero((y == label) & (length > 0))
        posts = posts[np.argsort(length[posts], kind="stable")]
        yield from np.array_split(posts, max(1, round(len(posts) / POSTS_OF_A_SET)))
