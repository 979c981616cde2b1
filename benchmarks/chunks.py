"""Learning from a stream: time against the number of chunks, and the memory that it takes."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import sklearn.naive_bayes as peer
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone

from benchmarks.difference import difference
from benchmarks.memory import peak_memory
from benchmarks.progress import say
from probml.naive_bayes import GaussianNB

SIDES = (GaussianNB(), peer.GaussianNB())
NUMBERS = (1, 2, 4, 8, 16, 32, 64)
ROWS, FEATURES, CLASSES = 50_000, 50, 3
ROUNDS = 5


@dataclass(frozen=True)
class ChunkTiming:
    """Of ours and the peer. seconds : of all calls of partial_fit, median of the rounds. memory : bytes, or None."""

    n_chunks: int
    seconds: tuple[float, ...]
    memory: tuple[int | None, ...]
    difference: float


def measure_chunks(most: int | None = None) -> list[ChunkTiming]:
    """One entry for each number of chunks, or for the smallest `most` of them; the sides take turns."""
    return [_measure(n) for n in NUMBERS[:most]]


def _measure(n: int) -> ChunkTiming:
    say(f"chunks: {n} of {NUMBERS[-1]}")
    memory = tuple(
        peak_memory(lambda model=model: clone(model), lambda fresh: _learn(fresh, n)).memory for model in SIDES
    )
    models = [clone(model) for model in SIDES]
    times = [[_learn(model, n) for model in models]]
    X, _ = next(_stream(1))
    ours, theirs = (model.predict_log_proba(X) for model in models)
    times += [[_learn(clone(model), n) for model in SIDES] for _ in range(ROUNDS - 1)]
    return ChunkTiming(n, tuple(np.median(times, axis=0).tolist()), memory, difference([ours], [theirs]))


def _learn(model: ClassifierMixin, n: int) -> float:
    """Seconds spent in partial_fit, over n chunks; to draw them is not counted."""
    seconds = 0.0
    for X, y in _stream(n):
        start = perf_counter()
        model.partial_fit(X, y, classes=np.arange(CLASSES))
        seconds += perf_counter() - start
    return seconds


def _stream(n: int) -> Iterator[tuple[NDArray, NDArray]]:
    rng = np.random.default_rng(0)
    for _ in range(n):
        y = rng.integers(0, CLASSES, ROWS)
        X = rng.standard_normal((ROWS, FEATURES))
        X += 0.3 * y[:, None]
        yield X, y
