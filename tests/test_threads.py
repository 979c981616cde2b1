from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np  # noqa: F401  loads the library whose threads are counted
from threadpoolctl import threadpool_info

from probml.threads import one_blas_thread


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_inside_and_as_many_as_before_after():
    before = blas_threads()
    assert before
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


def test_blocks_of_several_threads_that_overlap_leave_no_limit_behind():
    before = blas_threads()
    together = Barrier(2)
    ended = Barrier(2)

    def first():
        with one_blas_thread():
            together.wait(10)
        ended.wait(10)

    def second():
        with one_blas_thread():
            together.wait(10)  # begins while the first runs
            ended.wait(10)  # and ends after it

    for _ in range(20):
        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(first), pool.submit(second)]:
                done.result()
    assert blas_threads() == before


def test_blocks_within_blocks():
    before = blas_threads()
    with one_blas_thread():
        with one_blas_thread():
            pass
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
