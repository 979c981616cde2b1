"""Random training subsets: subsets of the examples that hold every class."""

from math import lgamma

import numpy as np

from probml.compiled import compiled
from probml.typing import Indices

RAREST = 1e-3  # share of all subsets that hold every class, below which drawing until one does takes too long


def draw_splits(y: Indices, size: int, n_splits: int, seed: int) -> Indices:
    """Rows of the training subsets, shape (n_splits, size); the test part is all other rows.

    Each is uniform among the subsets of `size` rows that hold every class 0, ..., K - 1 of y, shape (N,): subsets
    that lack a class are drawn again. One Generator, keyed by (seed, size), draws all of them, so that a subset depends
    on nothing else.
    """
    rng = np.random.default_rng([seed, size])
    K = int(y.max()) + 1
    rows = np.empty((n_splits, size), dtype=np.intp)
    missing = np.arange(n_splits)
    while len(missing):
        rows[missing] = subsets(len(y), size, len(missing), rng)
        drawn = y[rows[missing]]
        complete = np.all([(drawn == k).any(axis=1) for k in range(K)], axis=0)
        missing = missing[~complete]
    return rows


def subsets(N: int, size: int, number: int, rng: np.random.Generator) -> Indices:
    """Uniform subsets of 0, ..., N - 1, shape (number, size), by Floyd's algorithm for all of them at once.

    For j = N - size, ..., N - 1: draw t from 0, ..., j; take t, or j if t is taken already. Of a subset of more than
    half of the rows, the rest is drawn.
    """
    if 2 * size > N:
        chosen = np.ones((number, N), dtype=bool)
        np.put_along_axis(chosen, subsets(N, N - size, number, rng), False, axis=1)
        return np.nonzero(chosen)[1].reshape(number, size)
    return _without_repetition(rng.integers(0, np.arange(N - size, N)[:, None] + 1, (size, number)), N)


@compiled
def _without_repetition(drawn: Indices, N: int) -> Indices:
    """The second half of Floyd's algorithm. drawn : t for each j, shape (size, number). Shape (number, size)."""
    size, number = drawn.shape
    rows, taken = np.empty((number, size), dtype=np.intp), np.zeros(N, dtype=np.bool_)
    for subset in range(number):
        row = rows[subset]
        for place in range(size):
            t = drawn[place, subset]
            row[place] = N - size + place if taken[t] else t
            taken[row[place]] = True
        taken[row] = False
    return rows


def share_with_all(class_count: Indices, size: int) -> float:
    """The share of subsets of `size` examples that hold every class, at least: 1 - sum_k P(class k is not there)."""
    N = int(class_count.sum())

    def log_ways(n: int) -> float:
        """To draw `size` of n examples one after the other: log n! / (n - size)!."""
        return lgamma(n + 1) - lgamma(n - size + 1) if n >= size else -np.inf

    absent = [np.exp(log_ways(N - int(count)) - log_ways(N)) for count in class_count]
    if len(class_count) == 2:
        return float(1 - sum(absent))
    # The bound above may be negative for many classes; each class in turn, as if independent, is near enough here.
    return float(np.prod(1 - np.array(absent)))
