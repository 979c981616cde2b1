"""Training parts that all protocols of a panel share, also where some of them leave out rows with missing values."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.datasets import load
from course.studies.ng_jordan import ng_jordan, task_kind, task_source
from probml.curves.splits import subsets

Rows = NDArray[np.intp]
SPARE_ROWS = 40  # drawn beyond those that are needed on average, so that there are always enough complete ones
SPARE_SHARE = 1.5


class Draws(NamedTuple):
    """Training parts by their size, each of shape (splits, size).

    every : rows among all rows of the task. complete : rows among those without a missing value, by their numbers in
    the task of complete rows.
    """

    every: Mapping[int, Rows]
    complete: Mapping[int, Rows]

    def some(self, sizes: Sequence[int], splits: int | None = None) -> "Draws":
        """The first so many splits of some of the sizes."""
        return Draws(*({m: of[m][:splits] for m in sizes} for of in self))


def draws(name: str, sizes: Sequence[int], splits: int, seed: int) -> Draws:
    """Training parts of the task `name`, at some sizes."""
    y, complete = ng_jordan(name).y, complete_rows(name)
    number = np.cumsum(complete) - 1
    found = {int(m): coupled(y, complete, int(m), splits, seed) for m in sizes}
    return Draws({m: every for m, (every, _) in found.items()}, {m: number[rows] for m, (_, rows) in found.items()})


def complete_rows(name: str) -> NDArray[np.bool_]:
    """Which rows of the task `name` have no missing value, shape (rows,)."""
    rows = len(ng_jordan(name).y)
    if task_kind(name) == "continuous" or len(ng_jordan(name, complete=True).y) == rows:
        return np.ones(rows, dtype=bool)
    data = load(task_source(name))
    return ~np.isnan(data.X[:, ~data.continuous]).any(axis=1)


def coupled(y: Rows, complete: NDArray[np.bool_], size: int, splits: int, seed: int) -> tuple[Rows, Rows]:
    """Training parts among all rows, and among the complete ones, that share as many rows as they can.

    Rows are drawn in a random order. The first `size` of them are a part among all rows, the first `size` complete
    ones a part among complete rows: each is uniform among the subsets of its kind that hold both classes, since each
    is drawn again, from the same stream, until it does. Where no value is missing the two are the same. Both have the
    shape (splits, size), with numbers of rows among all rows.
    """
    rng = np.random.default_rng([seed, size])
    N = len(y)
    enough = min(N, int(SPARE_SHARE * size / complete.mean()) + SPARE_ROWS) if not complete.all() else size
    found = [np.empty((splits, size), dtype=np.intp) for _ in range(2)]
    missing = [np.arange(splits), np.arange(splits)]
    while len(either := np.union1d(*missing)):
        order = rng.permuted(subsets(N, enough, len(either), rng), axis=1)
        kept = complete[order]
        if (kept.sum(axis=1) < size).any():
            raise RuntimeError(f"fewer than {size} of {enough} rows are complete: draw more of them")
        # A stable sort puts the complete rows of each order first and keeps their order.
        first = np.take_along_axis(order, np.argsort(~kept, axis=1, kind="stable"), axis=1)
        for kind, rows in enumerate((order[:, :size], first[:, :size])):
            own = np.isin(either, missing[kind])
            found[kind][either[own]] = rows[own]
            both = (y[rows[own]].min(axis=1) == 0) & (y[rows[own]].max(axis=1) == 1)
            missing[kind] = either[own][~both]
    return found[0], found[1]
