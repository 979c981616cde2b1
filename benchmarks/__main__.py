"""The command line: `python -m benchmarks [NAME ...]`."""

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.chunks import measure_chunks
from benchmarks.measure import Measurement, measure
from benchmarks.page import page
from benchmarks.report import chunks_table, results_table
from benchmarks.rows import ROWS
from probml.errors import ProbmlError

PAGE = Path(__file__).with_name("README.md")
CHUNKS = "chunks"


def main(arguments: list[str] | None = None) -> int:
    """Measure all rows and write the page, or print the rows that are named."""
    names = [*ROWS, CHUNKS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time and memory beside the best peer.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to print; none: all, into the page")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:24}{ROWS[name].work if name in ROWS else 'partial_fit on a stream'}" for name in names))
        return 0
    if unknown := sorted(set(options.names) - set(names)):
        parser.error(f"no row is named {', '.join(unknown)}; --list prints the names")

    # A fresh process for every row: what an earlier one left in memory, or set up as threads, does not reach the next.
    context = multiprocessing.get_context("spawn")
    chosen = [name for name in names if name in options.names or not options.names]
    measurements: list[Measurement] = []
    timings = []
    try:
        with ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=1) as pool:
            for name in chosen:
                if name == CHUNKS:
                    timings = pool.submit(measure_chunks).result()
                    print(chunks_table(timings), flush=True)
                else:
                    measurements.append(pool.submit(measure_row, name).result())
                    print(results_table(measurements[-1:]), flush=True)
    except ProbmlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if chosen == names:
        PAGE.write_text(page(measurements, timings), encoding="utf-8")
        print(f"written: {PAGE}", file=sys.stderr)
    return 0


def measure_row(name: str) -> Measurement:
    """Measure a row, in a process that looks it up by its name: functions within functions cannot be sent."""
    return measure(ROWS[name])


if __name__ == "__main__":
    sys.exit(main())
