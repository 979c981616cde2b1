"""BLAS limited to one thread: the limit holds inside, and never outlives it. Products shared out: the same bits."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np  # which also loads the library whose threads are counted
import pytest
from scipy import sparse
from threadpoolctl import threadpool_info, threadpool_limits

from probml import threads
from probml.threads import WORTH_A_THREAD, by_blocks, one_blas_thread, shared_product


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.fixture
def several_threads():
    """Two, also where the tests were started with one, which would hide a limit that is not set or stays."""
    with threadpool_limits(2, user_api="blas"):
        assert set(blas_threads()) == {2}
        yield


@pytest.mark.usefixtures("several_threads")
def test_one_thread_inside_and_as_many_as_before_after():
    before = blas_threads()
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


@pytest.mark.usefixtures("several_threads")
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


@pytest.mark.usefixtures("several_threads")
def test_blocks_within_blocks():
    before = blas_threads()
    with one_blas_thread():
        with one_blas_thread():
            pass
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


@pytest.fixture
def one_core():
    """The process may use one core, whatever the machine has."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("the system does not tie processes to cores")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("one_core")
def test_on_one_core_nothing_is_shared_out(monkeypatch):
    monkeypatch.setattr(threads.ThreadPoolExecutor, "submit", lambda *_: pytest.fail("a share for a second thread"))
    monkeypatch.setattr(threads, "NUMBERS_AT_A_TIME", 10)
    seen = []
    by_blocks(seen.append, 1000, 3)
    assert len(seen) == 500
    X = sparse.csr_array(np.ones((500, 1000)))
    np.testing.assert_array_equal(shared_product(X, np.ones((1000, 8))), np.full((500, 8), 1000))


@pytest.mark.parametrize("cores", [1, 2, 3, 700])
@pytest.mark.parametrize("kind", ["csr", "csc", "dense"])
def test_large_products_are_shared_out(monkeypatch, cores, kind):
    """The rows are cut among the cores: the result is that of a plain product, to the last bit if sparse."""
    monkeypatch.setattr(threads, "cpu_count", lambda: cores)
    rng = np.random.default_rng(7)
    X = sparse.random_array((500, 1000), density=0.5, rng=rng, format="csr")
    X = X.toarray() if kind == "dense" else X.asformat(kind)
    W = rng.normal(size=(17, 1000)).T
    assert np.count_nonzero(X.toarray() if sparse.issparse(X) else X) * 17 >= WORTH_A_THREAD
    np.testing.assert_array_equal(shared_product(X, W), X @ W)


@pytest.mark.parametrize("m", [1, 2, 63, 64, 65, 1000])
@pytest.mark.parametrize("n", [1, 3, 10, 11])
@pytest.mark.parametrize("cores", [1, 2, 700])
def test_blocks_make_up_all_rows(monkeypatch, m, n, cores):
    monkeypatch.setattr(threads, "cpu_count", lambda: cores)
    monkeypatch.setattr(threads, "NUMBERS_AT_A_TIME", 10)
    times = np.zeros(m)
    largest = []

    def work(rows):
        times[rows] += 1
        largest.append(len(times[rows]))

    by_blocks(work, m, n)
    np.testing.assert_array_equal(times, 1)
    assert max(largest) * n <= max(10, n)


def test_an_error_in_a_block_is_raised(monkeypatch):
    monkeypatch.setattr(threads, "cpu_count", lambda: 2)
    monkeypatch.setattr(threads, "NUMBERS_AT_A_TIME", 1)

    def work(rows):
        if rows.start == 900:
            raise ValueError("row 900")

    with pytest.raises(ValueError, match="row 900"):
        by_blocks(work, 1000, 1)
