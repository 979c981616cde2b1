"""The command line: `python -m benchmarks [NAME ...]`."""

import argparse
import sys
from functools import partial
from pathlib import Path

from benchmarks.page import page
from benchmarks.rows import ROWS
from benchmarks.run import NAMES, run
from probml.errors import ProbmlError

PAGE = Path(__file__).with_name("README.md")


def main(arguments: list[str] | None = None) -> int:
    """Measure all rows and write the page, or print the rows that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time and memory beside the best peer.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to print; none: all, into the page")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:24}{ROWS[name].work if name in ROWS else 'partial_fit on a stream'}" for name in NAMES))
        return 0
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"no row is named {', '.join(unknown)}; --list prints the names")
    try:
        measured = run(options.names or NAMES, show=partial(print, flush=True))
    except ProbmlError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.names:
        PAGE.write_text(page(*measured), encoding="utf-8")
        print(f"written: {PAGE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
