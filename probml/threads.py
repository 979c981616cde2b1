"""Threads: those of the linear algebra library, and our own for sparse matrices, for which it has none."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
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
    cores = cpu_count()
    out, W = np.empty((X.shape[0], W.shape[1])), np.ascontiguousarray(W)
    cuts = np.searchsorted(X.indptr[:-1], np.linspace(0, X.nnz, cores + 1))  # equal shares of the stored entries
    cuts[-1] = X.shape[0]

    def some_rows(start: int, end: int) -> None:
        ends = X.indptr[start : end + 1]
        own = slice(ends[0], ends[-1])
        out[start:end] = sparse.csr_array((X.data[own], X.indices[own], ends - ends[0]), (end - start, len(W))) @ W

    with ThreadPoolExecutor(max(1, cores - 1)) as pool:
        others = [pool.submit(some_rows, start, end) for start, end in pairwise(cuts[1:])]
        some_rows(cuts[0], cuts[1])
        for other in others:
            other.result()
    return out


def on_all_cores(work: Callable[[Part], Sum], parts: Sequence[Part]) -> list[Sum]:
    """What is made of each part, in order: as many at a time as there are cores, each with one thread of BLAS."""
    with one_blas_thread(), ThreadPoolExecutor(min(cpu_count(), len(parts))) as pool:
        return list(pool.map(work, parts))
