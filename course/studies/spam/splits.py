"""Random splits of the messages into a training and a test part."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Rows = NDArray[np.intp]


def splits(m: int, train: float, count: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """`count` random splits of m rows: the rows of the training part, a proportion `train` of all, and the others."""
    if not 0 < train < 1:
        raise ValueError(f"train must be a proportion between 0 and 1, received {train!r}")
    for source in np.random.SeedSequence(seed).spawn(count):
        first, second = np.split(np.random.default_rng(source).permutation(m), [round(train * m)])
        yield first, second


def in_training_words(X: sparse.csr_array, train: Rows, test: Rows) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Counts of both parts, in the words that the training part contains; all others are ignored."""
    known = np.unique(X[train].indices)
    return X[train][:, known], X[test][:, known]
