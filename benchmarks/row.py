"""A row of the table: a piece of work, and all who do it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.race import ROUNDS


@dataclass(frozen=True)
class Side:
    """One who does the work.

    prepare : data -> state, not timed. run : state -> result, timed.
    answer : (state, result) -> arrays or sparse matrices, to be compared with those of the other sides.
    share : how much of the work is done, where all of it would take too long; times are divided by it.
    close : ends the processes that its runs have started and keep for the next one.
    """

    name: str
    prepare: Callable[[Any], Any]
    run: Callable[[Any], Any]
    answer: Callable[[Any, Any], tuple]
    share: float = 1.0
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Row:
    """The same work for all sides, on the same data.

    setup : () -> data. size : data -> its name and size, for the table. rounds : how many there are at least.
    """

    name: str
    work: str
    setup: Callable[[], Any]
    size: Callable[[Any], str]
    ours: Side
    peers: tuple[Side, ...]
    rounds: int = ROUNDS
