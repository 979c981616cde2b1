"""Threads of the linear algebra library."""

from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController


class _OneBlasThread:
    """A limit for the whole process, which the first block to begin sets and the last one to end takes back.

    Blocks of several threads that each took back what they had found would leave the limit on for good.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.blocks = 0

    def __enter__(self) -> None:
        with self.lock:
            if self.blocks == 0:
                self.limit = _controller().limit(limits=1, user_api="blas")
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


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
