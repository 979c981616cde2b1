"""Documents with some of their words left out at random."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse


def some_words(X: sparse.csr_array, kept: int | ArrayLike, rng: np.random.Generator) -> sparse.csr_array:
    """Keep `kept` different words of each document (a number, or one for each), chosen at random, with their counts.

    X : counts, canonical CSR, shape (m, n). Returns the same shape.
    """
    words = np.diff(X.indptr)
    kept = np.broadcast_to(np.asarray(kept), words.shape)
    if (short := words < kept).any() or (kept < 0).any():
        row = int(np.flatnonzero(short | (kept < 0))[0])
        raise ValueError(f"document {row} has {words[row]} different words, of which {kept[row]} cannot be kept")
    row = np.repeat(np.arange(len(words)), words)
    order = np.lexsort((rng.random(X.nnz), row))  # each document's words in a random order
    first = np.arange(X.nnz) - np.repeat(X.indptr[:-1], words) < np.repeat(kept, words)
    chosen = np.sort(order[first])
    ends = np.concatenate([[0], np.cumsum(kept)])
    return sparse.csr_array((X.data[chosen], X.indices[chosen], ends), shape=X.shape)
