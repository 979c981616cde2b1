"""The harness of the benchmarks, with work that takes no time. Nothing here depends on how fast the machine is."""

import gc
import multiprocessing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from scipy import sparse

from benchmarks import memory, race
from benchmarks.chunks import ChunkTiming
from benchmarks.difference import difference
from benchmarks.machine import machine
from benchmarks.measure import Measurement, measure
from benchmarks.memory import peak_memory
from benchmarks.page import page
from benchmarks.race import Ratio, ratio
from benchmarks.report import chunk_lines, result_lines, results_table
from benchmarks.row import Row, Side
from benchmarks.rows.curves import end_workers
from benchmarks.store import Stored, load, save


def side(name, log, value):
    def run(state):
        log.append(name)
        return state + value

    return Side(
        name,
        prepare=lambda data: 2 * data,
        run=run,
        answer=lambda state, result: (state, result),
        close=lambda: log.append(f"{name} closed"),
    )


def row_of(log):
    peers = (side("peer", log, 0.25), side("other", log, 0))
    return Row("fake", "fake: add", lambda: np.ones(3), lambda data: f"{len(data)} ones", side("ours", log, 0), peers)


@pytest.fixture
def little_garbage():
    """What the other tests hold is not looked through at each of the many collections."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("little_garbage")
def test_the_sides_take_turns_after_a_run_to_warm_up(monkeypatch):
    monkeypatch.setattr("benchmarks.measure.peak_memory", lambda prepare, run, close: None)
    log = []
    measured = measure(row_of(log), rounds=4, seconds=0)
    assert log == ["ours", "peer", "other"] * 5 + ["ours closed", "peer closed", "other closed"]
    assert measured.times.shape == (4, 3)
    assert (measured.times > 0).all()
    assert measured.sides == ("ours", "peer", "other")
    assert measured.differences == (0.25, 0)
    assert measured.data == "3 ones"
    assert measured.memory == (None, None, None)


@pytest.mark.usefixtures("little_garbage")
def test_a_race_goes_on_until_its_time_is_over(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(race, "perf_counter", lambda: float(next(clock)))
    seen = []
    times = race.race([lambda: None, lambda: None], rounds=1, seconds=20, progress=seen.append)
    # a round reads the clock four times, the condition once more
    assert times.tolist() == [[1, 1]] * 4
    assert seen == [1, 2, 3, 4]


def test_ratio_and_spread():
    ours = np.ones(11)
    peer = np.arange(1.0, 12.0)
    assert ratio(np.column_stack([ours, ours, peer]), 2) == Ratio(6, 2, 10)
    assert ratio(np.column_stack([peer, peer]), 1) == Ratio(1, 1, 1)


def test_differences():
    a = np.array([[1.0, -np.inf], [0.0, 2.0]])
    assert difference([a], [a]) == 0
    assert difference([a], [a + np.array([[0, 0], [0, -3]])]) == 3
    assert difference([a], [np.nan_to_num(a, neginf=0)]) == np.inf
    assert np.isnan(difference([a], [a * np.nan]))
    assert difference([a, np.array(["x"])], [a, np.array(["y"])]) == np.inf
    assert difference([sparse.csr_array([[0, 2]])], [sparse.csr_array([[1, 0]])]) == 2
    with pytest.raises(ValueError, match="different shapes"):
        difference([a], [a[:1]])
    with pytest.raises(ValueError, match="zip"):
        difference([a], [a, a])


@pytest.mark.skipif(not memory.STATUS.is_file(), reason="needs /proc")
def test_peak_memory_is_that_of_the_run():
    def total(n):
        return np.ones(n).sum()

    assert peak_memory(lambda: 1_000, total) < 5e6
    assert 80e6 <= peak_memory(lambda: 10_000_000, total) < 90e6
    assert peak_memory(lambda: np.ones(10_000_000), lambda x: x[0]) < 5e6


@pytest.mark.skipif(not memory.STATUS.is_file(), reason="needs /proc")
def test_a_child_that_fails_is_an_error(capfd):
    with pytest.raises(RuntimeError, match="exit code 1"):
        peak_memory(lambda: 0, lambda n: 1 / n)
    assert "ZeroDivisionError" in capfd.readouterr().err


@pytest.mark.skipif(not memory.STATUS.is_file(), reason="needs /proc")
def test_workers_of_a_run_are_counted_and_closed(tmp_path):
    context = multiprocessing.get_context("fork")
    ready, ended, left = context.Event(), context.Event(), tmp_path / "left"

    def work():
        held = np.ones(10_000_000)
        ready.set()
        if not ended.wait(30):
            left.write_text(f"nobody closed the worker, which held {held.nbytes} bytes")

    def run(_):
        context.Process(target=work).start()
        ready.wait()

    assert peak_memory(lambda: None, run, close=ended.set) >= 80e6
    assert not left.exists()


@pytest.mark.skipif(not memory.STATUS.is_file(), reason="needs /proc")
def test_a_run_that_fails_is_closed_all_the_same(tmp_path, capfd):
    with pytest.raises(RuntimeError, match="exit code 1"):
        peak_memory(lambda: 0, lambda n: 1 / n, close=(tmp_path / "closed").touch)
    assert (tmp_path / "closed").exists()


def test_workers_of_joblib_are_ended():
    def workers():
        return [each for each in multiprocessing.active_children() if type(each).__name__ == "LokyProcess"]

    answers = Parallel(n_jobs=2, backend="loky")(delayed(abs)(-k) for k in range(2))
    assert answers == [0, 1]
    assert len(workers()) == 2
    end_workers()
    assert workers() == []
    end_workers()  # and where there are none
    assert workers() == []


def test_no_memory_without_proc(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "STATUS", tmp_path / "status")
    assert peak_memory(lambda: 0, lambda n: n) is None


def test_table():
    times = np.array([[0.1, 2.0, 0.05], [0.1, 2.0, 0.05], [0.1, 2.0, 0.05]])
    measured = Measurement("add", "3 ones", ("us()", "slow()", "fast()"), times, (2_000_000, None, 0), (0.0, 1.25e-13))
    header, rule, fast, slow = results_table(result_lines(measured)).splitlines()
    assert fast == (
        "| add | 3 ones | `us()` | `fast()` | 100 ms | 50 ms | **0.50** (0.50 to 0.50) | 1.2e-13 | 2 MB | 0 MB | 3 |"
    )
    assert slow == "|  |  |  | `slow()` | 100 ms | 2.00 s | 20.00 (20.00 to 20.00) | 0 | 2 MB | n/a | 3 |"
    assert all(a.count("|") == b.count("|") for a, b in pairwise([header, rule, fast, slow]))


def test_page(tmp_path):
    measured = Measurement("add", "3 ones", ("us()", "them()"), np.ones((1, 2)), (None, None), (0.0,))
    stored = {
        "add": Stored(machine(), tuple(result_lines(measured))),
        "chunks": Stored("- another machine", tuple(chunk_lines([ChunkTiming(2, (0.5, 1.5), (1_000_000, None), 0.0)]))),
        "gone": Stored("", ()),
    }
    save(stored, ["chunks", "add", "new"], tmp_path / "store.json")
    assert load(tmp_path / "store.json") == {name: stored[name] for name in ("chunks", "add")}
    assert load(tmp_path / "nothing") == {}
    text = page(load(tmp_path / "store.json"))
    assert results_table(result_lines(measured)) in text
    assert "| 2 | 100,000 | 500 ms | 1.50 s | 0 | 1 MB | n/a |" in text
    assert "chunks:\n\n- another machine\n\nadd:\n\n- 20" in text
    assert f"numpy {np.__version__}" in text
    assert str(Path.home()) not in text


def test_the_page_is_that_of_the_stored_rows():
    folder = Path(memory.__file__).parent
    assert (folder / "README.md").read_text(encoding="utf-8") == page(load())
