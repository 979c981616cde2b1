"""A row of the tables: a piece of work, and all who do it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

from benchmarks.race import ROUNDS

Data: TypeAlias = Any  # of a row: whatever its sides agree on
ALL_ROWS = 10**9
AUTO = "auto"  # the family of rows whose sides are our own solvers


@dataclass(frozen=True)
class Side:
    """One who does the work.

    prepare : data -> state, not timed. run : state -> result, timed.
    answer : (state, result) -> arrays or sparse matrices, to be compared with those of the other sides.
    tolerance : (data, seconds) -> the loosest tolerance with which the answer is near enough, or `NotNearError`;
        TimeoutError where a run takes longer than so many seconds. `prepare` then gets it as a second argument.
    package : the module that it needs, if it is not of the course's own environment.
    share : how much of the work is done, where all of it would take too long; times are divided by it.
    close : ends the processes that its runs have started and keep for the next one.
    """

    name: str
    prepare: Callable[..., Any]
    run: Callable[[Any], Any]
    answer: Callable[[Any, Any], tuple]
    tolerance: Callable[[Any, float], float] | None = None
    package: str | None = None
    share: float = 1.0
    close: Callable[[], None] = lambda: None

    @property
    def is_installed(self) -> bool:
        """Whether it can take part."""
        return self.package is None or find_spec(self.package.partition(".")[0]) is not None


@dataclass(frozen=True)
class Row:
    """The same work for all sides, on the same data.

    name : of the problem and the task, `problem-task`. family : of models; a table has all rows of one.
    work : the model. task : what is done with it.
    setup : how many rows of data at most -> data. size : data -> its name and size, for the table.
    rounds : how many there are at least. limited : whether slow sides are stopped.
    """

    family: str
    name: str
    work: str
    task: str
    setup: Callable[[int], Any]
    size: Callable[[Any], str]
    ours: Side
    peers: tuple[Side, ...]
    rounds: int = ROUNDS
    limited: bool = True


class NotNearError(Exception):
    """No tolerance brings the side near enough to the answer."""
