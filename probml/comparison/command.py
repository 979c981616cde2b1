"""The command line: probml curves DATA --target COLUMN."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from probml.comparison.columns import KINDS
from probml.comparison.comparison import compare
from probml.errors import ParameterError, ProbmlError

DESCRIPTION = (
    "Which classifier needs how much data? Learning curves of naive Bayes, GDA and logistic regression on a table of "
    "yours: who wins now and with more rows, what more labels are worth, and a recommendation."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 2 for input that cannot be used, 130 for Ctrl-C before there is anything to report."""
    options = _parser().parse_args(arguments)
    try:
        for path in options.out:
            if path.suffix.lower() not in (".html", ".htm", ".json") or not path.parent.is_dir() or path.is_dir():
                raise ParameterError(f"--out {path}: the name must end in .html or .json, in a folder that exists")
            if not os.access(path.parent, os.W_OK):
                raise ParameterError(f"--out {path}: no permission to write to the folder {path.parent}")
        found = compare(
            options.data,
            options.target,
            kinds=dict(_assigned(each) for each in options.column),
            splits=options.splits,
            seed=options.seed,
            batch=options.batch,
        )
        for path in options.out:
            found.save(path)
        encoding = sys.stdout.encoding or "utf-8"
        print(str(found).encode(encoding, "replace").decode(encoding), end="", flush=True)
    except BrokenPipeError:  # whoever reads, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ProbmlError, OSError) as error:
        print(f"probml: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("probml: interrupted before three splits were done; nothing is written", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="probml", description="Probabilistic classifiers.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    curves = commands.add_parser("curves", help="learning curves of a table of yours", description=DESCRIPTION)
    add = curves.add_argument
    add("data", type=Path, metavar="DATA", help="a table: CSV, TSV, Parquet or Arrow")
    add("--target", required=True, metavar="COLUMN", help="the column to predict")
    add("--out", type=Path, action="append", default=[], metavar="FILE", help="report, .html or .json; repeatable")
    kinds = f"what a column is: {', '.join(KINDS)}; repeatable"
    add("--column", action="append", default=[], metavar="NAME=KIND", help=kinds)
    add("--splits", type=int, default=30, help="into rows to learn from and rows held out (30)")
    add("--seed", type=int, default=0, help="of the splits (0); the same seed gives the same bytes")
    add("--batch", type=int, help="rows of one more batch of labels (a tenth of the rows)")
    return parser


def _assigned(text: str) -> tuple[str, str]:
    name, equals, kind = text.rpartition("=")
    if not equals:
        raise ParameterError(f"--column takes NAME=KIND, received {text!r}")
    return name, kind
