"""The command line: `python -m benchmarks [NAME ...]`."""

import argparse
import sys
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.page import page
from benchmarks.rows import ROWS
from benchmarks.run import NAMES, run
from benchmarks.store import Stored, load, save
from probml.errors import ProbmlError

PAGE = Path(__file__).with_name("README.md")


def main(arguments: list[str] | None = None) -> int:
    """Measure all rows, or those that are named, and bring the page up to date."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time and memory beside the best peer.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to measure; none: all")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:24}{ROWS[name].work if name in ROWS else 'partial_fit on a stream'}" for name in NAMES))
        return 0
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"no row is named {', '.join(unknown)}; --list prints the names")
    stored = load()
    try:
        for name, lines in run(options.names or NAMES):
            print(*lines, sep="\n", flush=True)
            stored[name] = Stored(machine(), tuple(lines))
            save(stored, NAMES)
    except ProbmlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    PAGE.write_text(page(load()), encoding="utf-8")
    print(f"written: {PAGE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
