"""Run models on given training subsets: losses of every split, so that all differences are paired."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray

from course.studies.ng_jordan import Task
from course.studies.ng_jordan_redone.splits import Rows
from probml.curves import Curve, Model
from probml.curves.engine import Batch, run_batch
from probml.curves.pool import Pool, Ties

MEMORY = 2**25  # bytes of a batch, roughly
COPIES = 4  # arrays of the size of a batch that a fit holds at once
MOST = 2**12  # examples of a training subset


@dataclass(frozen=True)
class Runs:
    """Errors of several models on the same splits, and which training subsets are separable, shape (sizes, splits)."""

    error: dict[str, Curve]
    separable: dict[str, NDArray[np.bool_]]


def run(task: Task, models: Mapping[str, Model], train: Mapping[int, Rows], seed: int, ties: Ties = "half") -> Runs:
    """Fit all models to the training subsets, and test them on all other rows of the task.

    train : rows of the training subsets by their size, each of shape (splits, size); all have as many splits.
    What is random about a split does not depend on how many others there are.
    """
    pool, models = Pool.of(task.X, task.y), dict(models)
    work = list(_batches(train, task.X.shape[1]))
    found = list(Parallel(n_jobs=-1)(delayed(run_batch)(pool, batch, models, seed, ties, MEMORY) for batch in work))
    sizes = np.array(list(train))
    shape = len(sizes), len(next(iter(train.values())))
    error = {title: np.empty(shape) for title in found[0].error}
    separable = {title: np.empty(shape, dtype=bool) for title in found[0].separable}
    for losses in found:
        place, first = losses.batch.size, losses.batch.first
        for titles, into in ((losses.error, error), (losses.separable, separable)):
            for title, values in titles.items():
                into[title][place, first : first + len(values)] = values
    return Runs({title: Curve(sizes, values) for title, values in error.items()}, separable)


def _batches(train: Mapping[int, Rows], features: int) -> Iterator[Batch]:
    """Batches that fit into the memory, those of the largest parts first."""
    sizes = list(train)
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        rows = train[sizes[place]]
        step = max(1, MEMORY // (8 * COPIES * sizes[place] * (features + 1)))
        step = min(step, -(-len(rows) // 2))  # at least two batches, for two cores
        for first in range(0, len(rows), step):
            yield Batch(place, first, rows[first : first + step])


def at(curve: Curve, sizes: ArrayLike, splits: int | None = None) -> Curve:
    """The curve at some of its sizes, from all or the first so many of its splits."""
    kept = np.isin(curve.sizes, sizes)
    return Curve(curve.sizes[kept], curve.losses[kept][:, :splits])


def some_of(sizes: ArrayLike, number: int) -> list[int]:
    """So many of the sizes, from the first to the last, evenly spread over their places."""
    sizes = np.asarray(sizes)
    return sizes[np.unique(np.linspace(0, len(sizes) - 1, number).round().astype(int))].tolist()


def largest(rows: int, share: float = 0.9, most: int = MOST) -> int:
    """The largest training size that is run: `share` of the rows, or `most` if that is less."""
    return min(int(share * rows), most)
