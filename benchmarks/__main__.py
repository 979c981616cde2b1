"""The command line: `python -m benchmarks [NAME ...]`."""

import argparse
import sys
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.measure import Measurement
from benchmarks.page import FIGURE, figure, page
from benchmarks.report import chunks_table, families, sides_table
from benchmarks.run import NAMES, named, run
from benchmarks.store import Stored, load, save
from course.files import write_text
from probml.errors import ProbmlError

PAGE = Path(__file__).with_name("README.md")


def main(arguments: list[str] | None = None) -> int:
    """Measure all rows, or those that are named, and bring the page up to date."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time and memory beside the best peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to measure, or what their names begin with")
    parser.add_argument("--list", action="store_true", help="print the names of the rows, and measure nothing")
    parser.add_argument("--quick", action="store_true", help="one round with few examples: does it run? Keeps nothing")
    parser.add_argument("--page", action="store_true", help="write the page from what has been measured, and no more")
    options = parser.parse_args(arguments)
    try:
        names = named(options.names)
    except LookupError as error:
        parser.error(f"no row's name begins with {error}; --list prints the names")
    if options.list:
        print(*names, sep="\n")
        return 0
    try:
        if not options.page:
            _measure(names, options.quick)
    except ProbmlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.quick:
        stored = load()
        write_text(PAGE, page(stored))
        PAGE.with_name(FIGURE).write_bytes(figure(stored))
        print(f"written: {PAGE}", file=sys.stderr)
    return 0


def _measure(names: list[str], quick: bool) -> None:
    stored = load()
    for name, measured in run(names, quick):
        if isinstance(measured, Measurement):
            found = {name: measured}
            print(*(sides_table(found, family) for family in families(found)), sep="\n", flush=True)
        else:
            print(chunks_table(measured), flush=True)
        if not quick:
            stored[name] = Stored(machine(), measured)
            save(stored, NAMES)


if __name__ == "__main__":
    sys.exit(main())
