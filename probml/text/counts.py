"""From numbered tokens to a matrix of counts."""

import numpy as np
from scipy import sparse

from probml.text.tokens import Tokens

BLOCK = 2**16
"""Tokens sorted at a time: enough to make a loop over blocks cheap, few enough for the processor's cache."""


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
