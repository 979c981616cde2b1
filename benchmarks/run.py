"""Rows one after the other, each in a process of its own."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.chunks import ChunkTiming, measure_chunks
from benchmarks.measure import Measurement, measure
from benchmarks.rows import ROWS

CHUNKS = "chunks"
NAMES = (*ROWS, CHUNKS)
QUICK_ROWS = 1000  # of the data, in a quick look


def named(names: Sequence[str]) -> list[str]:
    """The rows with these names, or else whose names begin so; none: all. LookupError : a name that fits none."""
    found = {name: [name] if name in NAMES else [each for each in NAMES if each.startswith(name)] for name in names}
    for name, fits in found.items():
        if not fits:
            raise LookupError(name)
    chosen = {each for fits in found.values() for each in fits}
    return [each for each in NAMES if not names or each in chosen]


def run(names: Sequence[str], quick: bool = False) -> Iterator[tuple[str, Measurement | tuple[ChunkTiming, ...]]]:
    """Measure the rows that are named: name and measurement of each, as soon as they are there."""
    # A fresh process for every row: what an earlier one left in memory, or set up as threads, does not reach the next.
    # It comes from a server that has imported everything, and done nothing else.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.rows"])
    with ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=1) as pool:
        for name in names:
            yield name, pool.submit(_of, name, quick).result()


def _of(name: str, quick: bool) -> Measurement | tuple[ChunkTiming, ...]:
    """Measure a row. It is looked up in the process that measures it, since its functions cannot be sent there."""
    if name == CHUNKS:
        return tuple(measure_chunks(1 if quick else None))
    return measure(ROWS[name], rounds=1, seconds=0, rows=QUICK_ROWS) if quick else measure(ROWS[name])
