"""Run trials: learning curves of one classifier in each panel."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from course.studies.ng_jordan import Task
from course.studies.ng_jordan_redone.protocols import Trial
from course.studies.ng_jordan_redone.published import Panel
from probml.curves import Curve, Curves, Model, learning_curves


def curve(trial: Trial, sizes: ArrayLike, splits: int, seed: int) -> Curve:
    """Errors of one trial, a row for each size."""
    found = learning_curves(
        trial.task.X,
        trial.task.y,
        np.asarray(sizes).tolist(),
        {"": trial.model},
        n_splits=splits,
        seed=seed,
        ties=trial.ties,
    )
    return found.error[""]


def redone(trials: Mapping[str, Trial], panel: Panel, splits: Mapping[str, int], seed: int) -> dict[str, Curve]:
    """Both classifiers at the published sizes. Each has its own number of splits, and splits of its own.

    Splits that are independent make the two errors independent, so that the error of their difference is known
    whatever the numbers of splits.
    """
    return {
        name: curve(trial, panel.sizes, splits[name], 2 * seed + place)
        for place, (name, trial) in enumerate(trials.items())
    }


def together(task: Task, models: Mapping[str, Model], sizes: ArrayLike, splits: int, seed: int) -> Curves:
    """Several models on the same splits, so that their differences are paired."""
    return learning_curves(task.X, task.y, np.asarray(sizes).tolist(), models, n_splits=splits, seed=seed, ties="half")


def at(curve: Curve, sizes: ArrayLike, splits: int | None = None) -> Curve:
    """The curve at some of its sizes, from all or the first so many of its splits."""
    kept = np.isin(curve.sizes, sizes)
    return Curve(curve.sizes[kept], curve.losses[kept][:, :splits])


def some_of(sizes: ArrayLike, number: int) -> list[int]:
    """So many of the sizes, from the first to the last, evenly spread over their places."""
    sizes = np.asarray(sizes)
    return sizes[np.unique(np.linspace(0, len(sizes) - 1, number).round().astype(int))].tolist()


def doubling(first: int, rows: int, share: float = 0.9, most: int = 2**14) -> list[int]:
    """Sizes beyond `first`: its doubles, and at the end `share` of the rows, or `most` if that is less."""
    last = min(int(share * rows), most)
    sizes = [first * 2**k for k in range(1, 20) if first * 2**k < 0.75 * last]
    return [*sizes, last] if last > first else []
