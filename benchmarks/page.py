"""The page that holds the tables, benchmarks/README.md."""

from collections.abc import Mapping

from benchmarks.chunks import FEATURES, ROWS
from benchmarks.race import ROUNDS, SECONDS
from benchmarks.report import chunks_table, results_table
from benchmarks.store import Stored

CHUNKS = "chunks"

TEXT = """# Benchmarks

Written by `make bench`: how long the package takes for a piece of work, beside others who do the same.
`python -m benchmarks NAME` measures some rows anew.

## How it is measured

Each row runs in a process of its own. All sides get the same data, already in memory, and the threads that their
default settings give them. After one run each to warm up they take turns (ours, peer, ours, peer, ...), for at least
{rounds} rounds and {seconds:.0f} seconds, so that whatever else the machine does meets all of them alike. Times are
medians. Learning curves are the exception: they have 3 rounds, and where a side does not fit all splits, its time is
that of a sample, 2 splits of each size for the peer and 200 for one process of ours, scaled to all.

Memory is the largest growth of resident memory during one run, its result included, in a forked child that already
holds the data and, for predictions, the fitted model. Worker processes that the run starts are added, each with the
most that it held, Python and its libraries included. A few MB more or less mean nothing.

## How to read it

*Peer / ours* is how many times as long the peer takes: the median over the rounds and, in brackets, the range from the
10 % to the 90 % quantile. Above 1 we are faster; a range that holds 1 shows no difference. Where several peers, or
several settings of one, could do the work, all are timed. They are sorted by speed, and the fastest, in bold, counts.
Settings that are not shown are defaults.

*Difference* is the largest absolute difference between our answer and the peer's: of the matrix of counts (and inf if
its words differ); of the parameters, for models of counts; of the log posteriors of all examples, for the others; of
classes and log posteriors, for predictions; of the test error of a split, for learning curves (log odds of 0,
which many rows have with two training examples, count as the first class, wherever rounding takes them; our normal
densities leave that to rounding); of the objective, relative to its minimum, for linear models. These are fitted by
iteration, and each side gets the loosest of the tolerances 1e-1, 1e-2, ... with which it comes within 1e-8 of the
minimum. Where glum is installed, it takes part.

Compare numbers within a row. Another machine has others.

## Machine

{machines}

## Results

{results}

## Learning in chunks

`GaussianNB.partial_fit` on a stream of chunks of {rows:,} × {features}, drawn when they are needed. Time is that of all
calls together, without the drawing, which should double from line to line. Memory includes the chunks that are alive at
once, and should not grow.

{chunks}
"""


def page(stored: Mapping[str, Stored]) -> str:
    """The text, with the tables of all rows, and what they were measured on."""
    machines = dict.fromkeys(row.machine for row in stored.values())
    on = {machine: [name for name, row in stored.items() if row.machine == machine] for machine in machines}
    return TEXT.format(
        rounds=ROUNDS,
        seconds=SECONDS,
        machines="\n\n".join(f"{', '.join(names)}:\n\n{machine}" for machine, names in on.items()),
        results=results_table(line for name, row in stored.items() if name != CHUNKS for line in row.lines),
        rows=ROWS,
        features=FEATURES,
        chunks=chunks_table(stored[CHUNKS].lines if CHUNKS in stored else ()),
    )
