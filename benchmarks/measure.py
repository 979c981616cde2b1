"""Everything the tables say about a row."""

from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np

from benchmarks.difference import difference
from benchmarks.memory import in_child, peak_memory
from benchmarks.progress import say
from benchmarks.race import SECONDS, Ratio, race, ratio, timed
from benchmarks.row import ALL_ROWS, Data, NotNearError, Row, Side

LONGEST = 30.0  # seconds a run of ours may take
TIMES_OURS = 5  # how many times as long as ours a peer may take ...
SHORTEST_LIMIT = 5.0  # ... and these seconds, whatever ours takes
SLOW = 3  # sides that take so many times as long as the fastest peer run in a few rounds only
CHILD = 3  # fits with different tolerances may take as long as so many runs ...
PREPARATION = 120.0  # ... and what prepares another task may take these seconds


@dataclass(frozen=True)
class Timed:
    """What was measured of a side. Of one that was not timed, only why.

    seconds : median. ratio : of its time to ours, round by round; None for ours. memory : bytes, or None.
    difference : of its answer from ours.
    """

    name: str
    seconds: float | None = None
    ratio: Ratio | None = None
    memory: int | None = None
    difference: float | None = None
    why_not: str = ""


@dataclass(frozen=True)
class Measurement:
    """What was measured of a row. The first side is ours, the others are the peers."""

    family: str
    work: str
    task: str
    data: str
    rounds: int
    sides: tuple[Timed, ...]


@dataclass(frozen=True)
class _Ready:
    """A side that has shown in a child that it can do the work in time."""

    side: Side
    settings: tuple[float, ...]
    memory: int | None


def measure(row: Row, rounds: int | None = None, seconds: float = SECONDS, rows: int = ALL_ROWS) -> Measurement:
    """Peak memory of each side, then one run to warm up, whose answers are compared, then the race.

    rows : at most so many rows of the data, for a quick look at whether everything runs.
    """
    rounds = row.rounds if rounds is None else rounds
    say(f"{row.name}: setting up")
    data = row.setup(rows)
    # What runs in a child comes before what runs here: libraries that have started threads do not survive a fork.
    limit = LONGEST if row.limited else None
    ours, took = _ready(row, row.ours, data, limit)
    if limit is not None:
        limit = max(SHORTEST_LIMIT, TIMES_OURS * took)
    sides, left_out = [ours], []
    for peer in row.peers:
        if not peer.is_installed:
            continue
        if peer.package is not None:
            import_module(peer.package)  # here, so that its children need not
        try:
            sides.append(_ready(row, peer, data, limit)[0])
        except TimeoutError:
            left_out.append(Timed(peer.name, why_not=f"stopped after {limit:.0f} s"))
        except NotNearError as error:
            left_out.append(Timed(peer.name, why_not=str(error)))
        except RuntimeError as error:
            left_out.append(Timed(peer.name, why_not=f"failed: {error}"))
    return Measurement(
        row.family, row.work, row.task, row.size(data), rounds, (*_race(row, sides, data, rounds, seconds), *left_out)
    )


def _ready(row: Row, side: Side, data: Data, limit: float | None) -> tuple[_Ready, float]:
    """What a child finds out, and how long a run takes there."""
    say(f"{row.name}: {side.name}")
    in_all = None if limit is None else CHILD * limit + (PREPARATION if side.tolerance is None else 0.0)
    settings: tuple[float, ...] = ()
    if side.tolerance is not None:
        settings = (_unless_not_near(in_child(partial(_loosest, side, data, limit or np.inf), in_all)),)
    peak = peak_memory(partial(side.prepare, data, *settings), side.run, side.close, in_all)
    if limit is not None and peak.seconds > limit:
        raise TimeoutError
    return _Ready(side, settings, peak.memory), peak.seconds


def _loosest(side: Side, data: Data, limit: float) -> float | str | None:
    """A tolerance; or why there is none, in words; None stands for no time."""
    assert side.tolerance is not None
    try:
        return side.tolerance(data, limit)
    except NotNearError as error:
        return str(error)
    except TimeoutError:
        return None


def _unless_not_near(found: float | str | None) -> float:
    if found is None:
        raise TimeoutError
    if isinstance(found, str):
        raise NotNearError(found)
    return found


def _race(row: Row, ready: list[_Ready], data: Data, rounds: int, seconds: float) -> list[Timed]:
    sides = [each.side for each in ready]
    states, answers, first = [], [], []
    for each in ready:
        say(f"{row.name}: first run of {each.side.name}")
        states.append(each.side.prepare(data, *each.settings))
        took, result = timed(partial(each.side.run, states[-1]))
        first.append(took)
        answers.append(each.side.answer(states[-1], result))
        del result
    differences = [None, *(difference(answers[0], answer) for answer in answers[1:])]
    del answers
    runs = [partial(side.run, state) for side, state in zip(sides, states, strict=True)]
    slow = {at for at, took in enumerate(first) if at and took > SLOW * min(first[1:])}
    say(f"{row.name}: race of at least {rounds} rounds and {seconds:.0f} seconds")
    times = race(runs, rounds, seconds, lambda done: say(f"{row.name}: round {done}", passing=True), slow)
    for side in sides:
        side.close()
    times /= [side.share for side in sides]
    return [
        Timed(
            each.side.name,
            float(np.nanmedian(times[:, at])),
            ratio(times, at) if at else None,
            each.memory,
            differences[at],
        )
        for at, each in enumerate(ready)
    ]
