"""Timing: the sides take turns, so that whatever else the machine does meets all of them alike."""

import gc
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result")

ROUNDS = 5
SECONDS = 2.0
FEW = 3  # rounds of the sides that cannot be the fastest


def race(
    runs: Sequence[Callable[[], object]],
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    progress: Callable[[int], None] = lambda _: None,
    slow: Container[int] = (),
) -> NDArray[np.float64]:
    """Seconds that each run takes, shape (rounds, sides): first, second, ..., first, second, ...

    At least `rounds` rounds, and more until `seconds` have passed. Those who are slow sit out after a few: NaN. The
    caller has warmed up each run.
    """
    times: list[list[float]] = []
    end = perf_counter() + seconds
    while len(times) < rounds or perf_counter() < end:
        rests = len(times) >= FEW
        times.append([np.nan if rests and at in slow else timed(run)[0] for at, run in enumerate(runs)])
        progress(len(times))
    return np.array(times)


@dataclass(frozen=True)
class Ratio:
    """How many times as long a peer takes: median, 10 % and 90 % quantile of the ratios of the rounds."""

    median: float
    low: float
    high: float


def ratio(times: NDArray[np.float64], side: int) -> Ratio:
    """Time of `side` over time of the first side, round by round. times : shape (rounds, sides)."""
    low, median, high = np.nanquantile(times[:, side] / times[:, 0], [0.1, 0.5, 0.9])
    return Ratio(float(median), float(low), float(high))


def timed(run: Callable[[], Result]) -> tuple[float, Result]:
    """How long a run takes, and what comes out: to free it is not part of the work."""
    gc.collect()  # else one side pays for the garbage of the other
    start = perf_counter()
    result = run()
    return perf_counter() - start, result
