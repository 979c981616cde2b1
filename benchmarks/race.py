"""Timing: the sides take turns, so that whatever else the machine does meets all of them alike."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

ROUNDS = 7
SECONDS = 20.0


def race(
    runs: Sequence[Callable[[], object]],
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    progress: Callable[[int], None] = lambda _: None,
) -> NDArray[np.float64]:
    """Seconds that each run takes, shape (rounds, sides): first, second, ..., first, second, ...

    At least `rounds` rounds, and more until `seconds` have passed. Each run has been warmed up by the caller.
    """
    times: list[list[float]] = []
    end = perf_counter() + seconds
    while len(times) < rounds or perf_counter() < end:
        times.append([_seconds(run) for run in runs])
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
    low, median, high = np.quantile(times[:, side] / times[:, 0], [0.1, 0.5, 0.9])
    return Ratio(float(median), float(low), float(high))


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()  # else one side pays for the garbage of the other
    start = perf_counter()
    result = run()
    seconds = perf_counter() - start
    del result  # to free it is not part of the work
    return seconds
