"""Everything the table says about a row."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.difference import difference
from benchmarks.memory import peak_memory
from benchmarks.progress import say
from benchmarks.race import SECONDS, race
from benchmarks.row import Row


@dataclass(frozen=True)
class Measurement:
    """What was measured of a row. The first side is ours, the others are the peers.

    times : seconds, shape (rounds, sides). memory : bytes, or None. differences : of each peer's answer from ours.
    """

    work: str
    data: str
    sides: tuple[str, ...]
    times: NDArray[np.float64]
    memory: tuple[int | None, ...]
    differences: tuple[float, ...]


def measure(row: Row, rounds: int | None = None, seconds: float = SECONDS) -> Measurement:
    """Peak memory of each side, then one run to warm up, whose answers are compared, then the race."""
    sides, rounds = (row.ours, *row.peers), row.rounds if rounds is None else rounds
    say(f"{row.name}: setting up")
    data = row.setup()
    memory = []
    for side in sides:
        say(f"{row.name}: memory of {side.name}")
        memory.append(peak_memory(partial(side.prepare, data), side.run, side.close))
    states, answers = [], []
    for side in sides:
        say(f"{row.name}: first run of {side.name}")
        states.append(side.prepare(data))
        answers.append(side.answer(states[-1], side.run(states[-1])))
    differences = tuple(difference(answers[0], answer) for answer in answers[1:])
    del answers
    runs = [partial(side.run, state) for side, state in zip(sides, states, strict=True)]
    say(f"{row.name}: race of at least {rounds} rounds and {seconds:.0f} seconds")
    times = race(runs, rounds, seconds, progress=lambda done: say(f"{row.name}: round {done}", passing=True))
    for side in sides:
        side.close()
    times /= [side.share for side in sides]
    return Measurement(row.work, row.size(data), tuple(side.name for side in sides), times, tuple(memory), differences)
