"""The harness of the benchmarks, with work that takes no time. Nothing here depends on how fast the machine is."""

import gc
import multiprocessing
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import BaseEstimator

from benchmarks import memory, race
from benchmarks.chunks import ChunkTiming
from benchmarks.difference import difference
from benchmarks.machine import machine
from benchmarks.measure import Measurement, Timed, measure
from benchmarks.memory import Peak, in_child, peak_memory
from benchmarks.page import FIGURE, figure, page
from benchmarks.race import Ratio, ratio
from benchmarks.report import (
    Verdict,
    automatic_table,
    behind_list,
    families,
    family_table,
    peers,
    short,
    sides_table,
    verdict,
    with_verdict,
)
from benchmarks.row import AUTO, NotNearError, Row, Side
from benchmarks.rows import ROWS
from benchmarks.rows.curves import end_workers
from benchmarks.run import NAMES, named
from benchmarks.store import Stored, load, rows, save
from course.site import benchmarks as on_the_site
from probml import gda, linear_model, naive_bayes, nbsvm, text

FOLDER = Path(memory.__file__).parent


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
    return Row(
        "Sums",
        "fake-add",
        "fake",
        "add",
        lambda rows: np.ones(min(3, rows)),
        lambda data: f"{len(data)} ones",
        side("ours", log, 0),
        peers,
    )


@pytest.fixture
def little_garbage():
    """What the other tests hold is not looked through at each of the many collections."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def without_children(monkeypatch):
    """What would run in a child runs here, and takes no memory."""
    monkeypatch.setattr("benchmarks.measure.in_child", lambda work, seconds: work())
    monkeypatch.setattr("benchmarks.measure.peak_memory", lambda prepare, run, close, seconds: Peak(None, 0.0))


@pytest.mark.usefixtures("little_garbage", "without_children")
def test_the_sides_take_turns_after_a_run_to_warm_up(monkeypatch):
    monkeypatch.setattr("benchmarks.measure.SLOW", np.inf)
    log = []
    measured = measure(row_of(log), rounds=4, seconds=0)
    assert log == ["ours", "peer", "other"] * 5 + ["ours closed", "peer closed", "other closed"]
    assert [each.name for each in measured.sides] == ["ours", "peer", "other"]
    assert all(each.seconds > 0 for each in measured.sides)
    assert [each.difference for each in measured.sides] == [None, 0.25, 0]
    assert [each.ratio is None for each in measured.sides] == [True, False, False]
    assert [each.memory for each in measured.sides] == [None] * 3
    assert (measured.family, measured.work, measured.task, measured.data) == ("Sums", "fake", "add", "3 ones")
    assert measure(row_of(log), rounds=1, seconds=0, rows=2).data == "2 ones"


def sleeper(log, name, seconds):
    return replace(side(name, log, 0), run=lambda state: (time.sleep(seconds), log.append(name), state)[2])


@pytest.mark.usefixtures("little_garbage", "without_children")
def test_a_slow_peer_sits_out():
    log = []
    row = replace(row_of(log), peers=(side("peer", log, 0), sleeper(log, "slow", 0.01)))
    measured = measure(row, rounds=8, seconds=0)
    assert log.count("peer") == 1 + 8
    assert log.count("slow") == 1 + race.FEW
    assert measured.sides[2].ratio.median > 3
    assert not np.isnan(measured.sides[2].seconds)


def not_near(data, seconds):
    raise NotNearError("comes only within 1e-03 of the minimum")


@pytest.mark.usefixtures("little_garbage", "without_children")
def test_who_is_not_timed_is_named_with_the_reason(monkeypatch):
    log = []
    far = replace(side("far", log, 0), tolerance=not_near)
    late = replace(side("late", log, 0), prepare=lambda data: "late")
    absent = replace(side("absent", log, 0), package="no_such_package")
    tuned = replace(
        side("tuned", log, 0), tolerance=lambda data, seconds: 0.5, prepare=lambda data, found: data + found
    )
    monkeypatch.setattr(
        "benchmarks.measure.peak_memory",
        lambda prepare, run, close, seconds: Peak(7, 1e9 if isinstance(prepare(), str) else 0.0),
    )
    row = replace(row_of(log), peers=(late, far, absent, tuned))
    measured = measure(row, rounds=1, seconds=0)
    assert [(each.name, each.why_not) for each in measured.sides] == [
        ("ours", ""),
        ("tuned", ""),
        ("late", "stopped after 5 s"),
        ("far", "comes only within 1e-03 of the minimum"),
    ]
    assert measured.sides[1].difference == 0.5
    assert measured.sides[1].memory == 7
    with pytest.raises(TimeoutError):
        measure(replace(row, ours=late), rounds=1, seconds=0)


@pytest.mark.skipif(not memory.STATUS.is_file(), reason="needs /proc")
def test_a_peer_that_fails_in_its_child_is_named(capfd):
    log = []
    row = replace(row_of(log), peers=(replace(side("peer", log, 0), run=lambda state: 1 / 0),))
    measured = measure(row, rounds=1, seconds=0)
    assert measured.sides[1].why_not == "failed: the child ended with exit code 1"
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_child_that_takes_too_long_is_stopped(tmp_path):
    def work():
        time.sleep(20)
        (tmp_path / "ended").touch()

    start = time.monotonic()
    with pytest.raises(TimeoutError, match="stopped"):
        in_child(work, 0.1)
    assert time.monotonic() - start < 20
    assert not (tmp_path / "ended").exists()
    assert in_child(lambda: 3, 60) == 3


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
    assert ratio(np.array([[2.0, 4.0], [2.0, np.nan]]), 1) == Ratio(2, 2, 2)


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

    assert peak_memory(lambda: 1_000, total).memory < 5e6
    assert 80e6 <= peak_memory(lambda: 10_000_000, total).memory < 90e6
    assert peak_memory(lambda: np.ones(10_000_000), lambda x: x[0]).memory < 5e6


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

    assert peak_memory(lambda: None, run, close=ended.set).memory >= 80e6
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
    found = peak_memory(lambda: 0, lambda n: n)
    assert found.memory is None
    assert found.seconds > 0


def timed(name, seconds=0.1, ratio=None, **more):
    return Timed(name, seconds, ratio and Ratio(*ratio), **more)


def added(*sides, family="Sums", task="add"):
    return Measurement(family, "two | three", task, "3 ones", 5, sides)


OURS = timed("us.Sum()", memory=2_000_000)
FAST = timed("them.Sum(solver='quick')", 0.05, (0.5, 0.4, 0.6), memory=0, difference=1.25e-13)
LATE = timed("them.Sum(dual=True)", 2.0, (20, 19, 21), memory=None, difference=0.0)
STOPPED = Timed("they.Sum()", why_not="stopped after 5 s")


def test_a_family_has_a_line_for_each_problem():
    found = {
        "small-add": added(OURS, LATE, STOPPED, FAST),
        "small-take": added(OURS, STOPPED, task="take"),
        "large-take": added(timed("us.Sum()", 1.5), replace(FAST, ratio=Ratio(1.5, 1.1, 2)), task="take"),
        "other-add": added(OURS, family="Products"),
    }
    assert families(found) == ["Sums"]
    head, rule, small, large = family_table(found, "Sums").splitlines()
    assert head.startswith("| problem | add: ours | add: best peer | add: peer / ours | add: difference | take: ours |")
    assert small == (
        "| `small`: two \\| three; 3 ones | 100 ms, 2 MB | them quick: 50 ms, 0 MB | **0.50** (0.40 to 0.60) | 1.2e-13 "
        "| 100 ms, 2 MB | none: stopped after 5 s |  |  |"
    )
    assert large.startswith(
        "| `large`: two \\| three; 3 ones |  |  |  |  | 1.50 s, n/a | them quick: 50 ms, 0 MB | **1.50** ("
    )
    assert head.count("|") == rule.count("|") == small.count("|") - 1 == large.count("|") - 1
    lines = sides_table(found, "Sums").splitlines()
    assert [line.split(" | ")[1:3] for line in lines[2:6]] == [
        ["`us.Sum()`", "100 ms"],
        ["`them.Sum(solver='quick')`", "50 ms"],
        ["`them.Sum(dual=True)`", "2.00 s"],
        ["`they.Sum()`", "stopped after 5 s"],
    ]
    assert len(lines) == 2 + 4 + 2 + 2


def test_what_a_row_says():
    assert verdict(added(OURS, FAST, LATE)) is Verdict.BEHIND
    assert verdict(added(OURS, LATE)) is verdict(added(OURS, STOPPED)) is Verdict.AHEAD
    assert verdict(added(OURS, replace(FAST, ratio=Ratio(1.2, 0.9, 1.5)))) is Verdict.NEITHER
    found = {
        "a-add": added(OURS, LATE),
        "b-add": added(OURS, FAST),
        "c-add": added(OURS),
        "d": added(OURS, LATE, family=AUTO),
    }
    assert list(peers(found)) == ["a-add", "b-add"]
    assert list(with_verdict(found, Verdict.AHEAD)) == ["a-add"]
    assert behind_list(found) == "- `b-add`: 0.50 (0.40 to 0.60), them quick"
    assert behind_list({}) == "- none"


def test_short_names():
    assert short("sklearn.LogisticRegression(C=inf, solver='newton-cg')") == "sklearn newton-cg"
    assert [short(f"sklearn.LinearSVC(dual={dual})") for dual in (True, False)] == ["sklearn dual", "sklearn primal"]
    assert short("polars.Series") == "polars"


def test_auto_beside_the_best_of_ours():
    found = {
        "auto-x": added(timed("probml.L()"), FAST, LATE, STOPPED, family=AUTO, task="fit"),
        "y-add": added(OURS, FAST),
    }
    line = automatic_table(found).splitlines()[2:]
    assert line == [
        "| `auto-x`: two \\| three; 3 ones | 100 ms | them quick: 50 ms | **2.00** (1.67 to 2.50) | them dual 20 ×, "
        "they stopped after 5 s |"
    ]


def test_page(tmp_path):
    stored = {
        "sum-add": Stored(machine(), added(OURS, FAST, STOPPED)),
        "chunks": Stored("- another machine", (ChunkTiming(2, (0.5, 1.5), (1_000_000, None), 0.0),)),
        "gone": Stored("", ()),
    }
    save(stored, ["chunks", "sum-add", "new"], tmp_path / "store.json")
    assert load(tmp_path / "store.json") == {name: stored[name] for name in ("chunks", "sum-add")}
    assert load(tmp_path / "nothing") == {}
    text = page(load(tmp_path / "store.json"))
    assert family_table(rows(stored), "Sums") in text
    assert "| 2 | 100,000 | 500 ms | 1.50 s | 0 | 1 MB | n/a |" in text
    assert "- another machine" in text
    assert f"numpy {np.__version__}" in text
    assert "**Ahead of the fastest peer in 0 of 1 rows, behind in 1.**" in text
    assert str(Path.home()) not in text
    assert figure(stored) == figure(stored)
    assert figure(stored) != figure({**stored, "sum-add": Stored("", added(OURS, LATE))})


def test_the_page_is_that_of_the_stored_rows():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == page(load())


def test_the_figure_is_that_of_the_stored_rows():
    assert (FOLDER / FIGURE).read_bytes() == figure(load())


def test_the_page_on_the_site_has_the_figure_and_folds(tmp_path):
    fold = "<details><summary>All</summary>\n\n12 ms, 3 MB (1.2 to 3)\n\n</details>"
    assert on_the_site.page(f"![rows](source:benchmarks/{FIGURE})\n\n{fold}") == (
        f'![rows]({FIGURE})\n\n<details class="fold"><summary>All</summary><div class="fold-body">\n\n'
        "12\u00a0ms, 3\u00a0MB (1.2\u00a0to\u00a03)\n\n</div></details>"
    )
    on_the_site.copy_figure(FOLDER.parent, tmp_path)
    assert (tmp_path / FIGURE).read_bytes() == (FOLDER / FIGURE).read_bytes()


def test_all_that_is_stored_is_a_row():
    stored = load()
    assert set(stored) <= set(NAMES)
    assert {name: (row.family, row.task) for name, row in rows(stored).items()} == {
        name: (ROWS[name].family, ROWS[name].task) for name in rows(stored)
    }


def test_every_estimator_has_a_row_beside_others():
    """Every class of the library that is fitted: a new one needs a row."""
    public = {
        name
        for package in (gda, linear_model, naive_bayes, text)
        for name in package.__all__
        if isinstance(each := getattr(package, name), type) and issubclass(each, BaseEstimator)
    }
    ours = [row.ours.name for row in ROWS.values() if row.family != AUTO and row.peers]
    assert {
        name for name in public | {nbsvm.NBSVM.__name__} if not any(f"probml.{name}(" in each for each in ours)
    } == set()


def test_rows_by_name_or_by_what_it_begins_with():
    assert named([]) == list(NAMES)
    assert named(["curves", "chunks"]) == ["curves", "chunks"]
    assert named(["perceptron-sm"]) == ["perceptron-small-fit", "perceptron-small-predict"]
    assert all(name.startswith(("gda", "poisson")) for name in named(["gda", "poisson"]))
    with pytest.raises(LookupError, match="no-such"):
        named(["words", "no-such"])


def test_names_are_those_of_problem_and_task():
    for name, row in ROWS.items():
        assert name == row.name
        assert name.endswith(f"-{row.task}") or row.family in (AUTO, "Learning curves"), name


@pytest.mark.parametrize(
    "name", ["multinomial-small-predict", "logistic-l2-small-fit", "perceptron-small-fit", "accuracy-small-compute"]
)
def test_a_row_runs_and_the_answers_agree(name):
    measured = measure(ROWS[name], rounds=1, seconds=0, rows=200)
    assert len(measured.sides) > 1
    assert all(each.difference < 1e-8 for each in measured.sides[1:] if each.seconds is not None)
    assert [each.name for each in measured.sides if "failed" in each.why_not] == []
