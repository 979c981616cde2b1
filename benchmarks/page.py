"""The page that holds the tables, benchmarks/README.md, and its figure."""

from collections.abc import Mapping

from benchmarks.chunks import FEATURES, ROWS
from benchmarks.figure import finding, picture
from benchmarks.measure import LONGEST, SHORTEST_LIMIT, SLOW, TIMES_OURS
from benchmarks.race import FEW, ROUNDS, SECONDS
from benchmarks.report import automatic_table, behind_list, chunks_table, families, family_table, sides_table
from benchmarks.store import Stored, chunks, rows

FIGURE = "ratios.png"

TEXT = """# Benchmarks

How long the package takes for a piece of work, beside the best of all libraries that do the same. **{finding}.**

![For every row, the time of the fastest peer over ours, on a logarithmic scale, with its range: {finding}.]({figure})

Each line is a problem, each dot a row of the tables below: the median of *peer / ours*, with its range from the 10 % to
the 90 % quantile of the rounds. To the right of 1 we are faster; a range that holds 1 shows no difference.

Written by `make bench`; `make bench ROWS="logistic-small perceptron"` measures anew the rows whose names begin so.

### Where we are behind

{behind}

## How to read it

There is a table for each family of models, with a line for each problem. Problems called *small* are exercises (200
rows), *working* ones have about 10⁵ rows, *large* ones 10⁶. *Ours* and *best peer* are median times, with the memory
that a run takes. *Peer / ours* is how many times as long the peer takes: the median over the rounds and, in brackets,
the range from the 10 % to the 90 % quantile. Where several libraries, or several settings of one, could do the work,
all are timed, and the fastest counts; the others are folded below. Settings that are not shown are defaults.

*Difference* is the largest absolute difference between our answer and the peer's: of the matrix, for bags of words and
features (inf if the words differ); of the parameters, for multinomial and Bernoulli naive Bayes, for least squares and
the perceptron; of the log posteriors of all examples, for the other models that are fitted in closed form; of what is
predicted, for predictions; of the test error of a split, for learning curves (log odds of 0, which many rows have with
two training examples, count as the first class, wherever rounding takes them; our normal densities leave that to
rounding). Models that are fitted by iteration have another measure: how far the peer's objective is above its minimum,
relative to that. Each side gets the loosest of the tolerances 1e-1, 1e-2, ... with which it comes within 1e-8.

Compare numbers within a row: on another machine all of them will be different.

{families}

## The solver "auto"

Linear models have `solver="auto"` unless another is named. Here it stands beside each solver of ours that suits the
problem, all of them within 1e-8 of the same minimum. *Auto / best* is its time over that of the fastest other: near 1
where the choice is right, and below 1 where no single solver does as well.

{automatic}

## Learning in chunks

`GaussianNB.partial_fit` on a stream of chunks of {rows:,} × {features}, drawn when they are needed. Time is that of all
calls together, without the drawing, which should double from line to line. Memory includes the chunks that are alive at
once, and should not grow.

{chunks}

## How it is measured

Each row runs in a process of its own. All sides get the same data, already in memory, and the threads that their
default settings give them. After one run each to warm up they take turns (ours, peer, ours, peer, ...), for at least
{rounds} rounds and {seconds:.0f} seconds, so that whatever else the machine does meets all of them alike. Peers that
take more than {slow} times as long as the fastest sit out after {few} rounds. A peer is stopped, and named as such,
when a run takes more than {times} times as long as ours and more than {shortest:.0f} seconds; ours may take up to
{longest:.0f} seconds. Learning curves are the exception: where a side does not fit all splits, its time is that of
a sample, 2 splits of each size for the peer and 200 for one process of ours, scaled to all.

For predictions all linear models of a row have the same coefficients, those that we learn from 2,000 examples.

Memory is the largest growth of resident memory during one run, its result included, in a forked child that already
holds the data and, for predictions, the fitted model. Worker processes that the run starts are added, each with the
most that it held, Python and its libraries included. A few MB more or less mean nothing.

Peers are scikit-learn, with its solvers that fit the same model (on the largest data without the slowest of them), and
what [peers.txt](peers.txt) names. `make bench` installs it into an environment of its own; what cannot be installed
there does not take part. The list below says who took part. Libraries for l1 penalties, such as celer and skglm, have
no row, since ours have no such penalty. `GDA` with spherical or shared diagonal covariances has no peer, and hence no
row.

## Machine

{machines}
"""

FAMILY = """## {family}

{table}

<details><summary>All sides: {family}</summary>

{sides}

</details>"""


def page(stored: Mapping[str, Stored]) -> str:
    """The text, with the tables of all rows, and what they were measured on."""
    found = rows(stored)
    on: dict[str, list[str]] = {}
    for name, row in stored.items():
        on.setdefault(row.machine, []).append(name)
    machines = sorted(on.items(), key=lambda item: len(item[1]))
    return TEXT.format(
        finding=finding(found),
        figure=FIGURE,
        behind=behind_list(found),
        families="\n\n".join(
            FAMILY.format(family=family, table=family_table(found, family), sides=sides_table(found, family))
            for family in families(found)
        ),
        automatic=automatic_table(found),
        rows=ROWS,
        features=FEATURES,
        chunks=chunks_table(chunks(stored)),
        rounds=ROUNDS,
        seconds=SECONDS,
        slow=SLOW,
        few=FEW,
        times=TIMES_OURS,
        shortest=SHORTEST_LIMIT,
        longest=LONGEST,
        machines="\n\n".join(
            f"{', '.join(names) if names is not machines[-1][1] else 'all other rows'}:\n\n{machine}"
            for machine, names in machines
        ),
    )


def figure(stored: Mapping[str, Stored]) -> bytes:
    """The picture of the page, as PNG."""
    return picture(rows(stored))
