"""Rows one after the other, each in a process of its own."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.chunks import measure_chunks
from benchmarks.measure import measure
from benchmarks.page import CHUNKS
from benchmarks.report import chunk_lines, result_lines
from benchmarks.rows import ROWS

NAMES = (*ROWS, CHUNKS)


def run(names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Measure the rows that are named: name and lines of each, as soon as they are there."""
    # A fresh process for every row: what an earlier one left in memory, or set up as threads, does not reach the next.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=1) as pool:
        for name in names:
            yield name, pool.submit(lines_of, name).result()


def lines_of(name: str) -> list[str]:
    """Measure a row. It is looked up in the process that measures it, since its functions cannot be sent there."""
    return chunk_lines(measure_chunks()) if name == CHUNKS else result_lines(measure(ROWS[name]))
