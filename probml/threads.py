"""Threads: those of the linear algebra library, and our own, where it has none or is asked for a block at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import ceil, log2
from threading import Lock
from typing import TypeVar

import numpy as np
from joblib import cpu_count
from scipy import sparse
from threadpoolctl import ThreadpoolController

from probml.typing import Array, Matrix

Part = TypeVar("Part")
Sum = TypeVar("Sum")
WORTH_A_THREAD = 4_000_000  # products of numbers, from which on a second thread is worth while
ENTRIES_AT_A_TIME = 2**18  # of a sparse matrix: a block beside which setting it up is nothing
NUMBERS_AT_A_TIME = 2**16  # the same of a dense one: half a megabyte
BLOCKS_AT_A_TIME = 32  # for one thread: less would take it longer to begin


class _OneBlasThread:
    """A limit for the whole process, which the first block to begin sets and the last one to end takes back.

    Blocks of several threads that each took back what they had found would leave the limit on for good.
    """

    lock, blocks = Lock(), 0

    @cached_property
    def controller(self) -> ThreadpoolController:
        """Of the libraries that are loaded when the first block begins."""
        return ThreadpoolController()

    def __enter__(self) -> None:
        with self.lock:
            if self.blocks == 0:
                self.limit = self.controller.limit(limits=1, user_api="blas")
            self.blocks += 1

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.blocks -= 1
            if self.blocks == 0:
                self.limit.restore_original_limits()


_one_blas_thread = _OneBlasThread()


def one_blas_thread() -> _OneBlasThread:
    """For products of small blocks: shared out among threads, they would mostly wait for each other."""
    return _one_blas_thread


def shared_product(X: Matrix, W: Array) -> Array:
    """X @ W for X of shape (m, n) and W of shape (n, K), the rows of a large sparse X shared out among the cores.

    A row is summed in the same order whoever does it: the product does not depend on the number of cores.
    """
    if isinstance(X, np.ndarray) or X.format != "csr" or X.nnz * W.shape[1] < WORTH_A_THREAD:
        product: Array = X @ W
        return product
    out, W = np.empty((X.shape[0], W.shape[1])), np.ascontiguousarray(W)
    shares = max(cpu_count(), ceil(X.nnz / ENTRIES_AT_A_TIME))  # equal ones of the stored entries
    cuts = np.searchsorted(X.indptr[:-1], np.linspace(0, X.nnz, shares, endpoint=False))
    cuts = np.unique([*cuts, X.shape[0]])

    def some_rows(rows: slice) -> None:
        ends = X.indptr[rows.start : rows.stop + 1]
        own = slice(ends[0], ends[-1])
        shape = rows.stop - rows.start, len(W)
        out[rows] = sparse.csr_array((X.data[own], X.indices[own], ends - ends[0]), shape) @ W

    on_all_cores(some_rows, list(map(slice, cuts[:-1], cuts[1:])))
    return out


def by_blocks(work: Callable[[slice], object], m: int, n: int) -> None:
    """work(rows) for blocks that make up all rows of a matrix of shape (m, n), on all cores if there are many."""
    at_a_time = 2 ** int(log2(max(1, NUMBERS_AT_A_TIME / n)))

    def some_blocks(start: int) -> None:
        for first in range(start, min(start + share, m), at_a_time):
            work(slice(first, first + at_a_time))

    share = BLOCKS_AT_A_TIME * at_a_time
    if m <= share:
        some_blocks(0)
    else:
        on_all_cores(some_blocks, range(0, m, share))


def on_all_cores(work: Callable[[Part], Sum], parts: Sequence[Part]) -> list[Sum]:
    """What is made of each part, in order: as many at a time as there are cores, each with one thread of BLAS."""
    threads = min(cpu_count(), len(parts))
    with one_blas_thread():
        if threads == 1:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(work, parts))
