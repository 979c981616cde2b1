"""Rows one after the other, each in a process of its own."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.chunks import ChunkTiming, measure_chunks
from benchmarks.measure import Measurement, measure
from benchmarks.report import chunks_table, results_table
from benchmarks.rows import ROWS

CHUNKS = "chunks"
NAMES = (*ROWS, CHUNKS)


def run(names: Sequence[str], show: Callable[[str], None]) -> tuple[list[Measurement], list[ChunkTiming]]:
    """Measure the rows that are named, and show the table of each as soon as it is there."""
    measurements: list[Measurement] = []
    timings: list[ChunkTiming] = []
    # A fresh process for every row: what an earlier one left in memory, or set up as threads, does not reach the next.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=1) as pool:
        for name in names:
            if name == CHUNKS:
                timings = pool.submit(measure_chunks).result()
                show(chunks_table(timings))
            else:
                measurements.append(pool.submit(measure_row, name).result())
                show(results_table(measurements[-1:]))
    return measurements, timings


def measure_row(name: str) -> Measurement:
    """Measure a row. It is looked up in the process that measures it, since its functions cannot be sent there."""
    return measure(ROWS[name])
