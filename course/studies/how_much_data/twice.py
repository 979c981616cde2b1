"""Tables that no other note uses: what the package predicts for twice the rows, and what is then measured.

The package sees a quarter of a table. Half of the table is then learnt from, and the other half tests.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.datasets import load
from probml.comparison import compare
from probml.comparison.columns import inspect
from probml.comparison.contenders import CONTENDERS, Design
from probml.comparison.race import one_split, stratified_order
from probml.comparison.table import read

Array = NDArray[np.float64]
Columns = dict[str, list[Any]]
TARGET = "class to predict"
MOST_ROWS = 2400  # of a table, drawn at random


@dataclass(frozen=True)
class Forecast:
    """Of one classifier on one table: error now, predicted for twice the rows with its interval, and measured."""

    table: str
    rows: int
    classifier: str
    now: float
    value: float
    low: float
    high: float
    against: str
    measured: float

    @property
    def covered(self) -> bool:
        """Whether the interval holds what was measured."""
        return self.low <= self.measured <= self.high


def columns(name: str) -> Columns:
    """A registered set as the package reads a file: numbers as numbers, categories as words, nothing where missing."""
    data = load(name)
    found: Columns = {}
    for column, values in zip(data.features, np.asarray(data.X).T, strict=True):
        cells = values.tolist()
        if column.categories:
            cells = [None if np.isnan(cell) else f"= {column.categories[int(cell)]}" for cell in cells]
        found[column.name] = cells
    return found | {TARGET: [data.class_names[k] for k in data.y]}


def some(table: Columns, rows: NDArray[np.intp]) -> Columns:
    """Rows of a table."""
    return {name: [values[row] for row in rows] for name, values in table.items()}


def at_twice_the_rows(name: str, splits: int, truth_splits: int, seed: int) -> list[Forecast]:
    """All classifiers on one table."""
    table = columns(name)
    y = inspect(read(table), TARGET).y
    order = stratified_order(y, np.random.default_rng([seed, 7]))[:MOST_ROWS]
    n = len(order) // 4
    found = compare(some(table, order[:n]), TARGET, splits=splits, seed=seed, progress=False).answers
    design = Design.of(inspect(read(some(table, order)), TARGET))
    errors = []
    for split in range(truth_splits):
        drawn = stratified_order(design.examples.y, np.random.default_rng([seed, 8, split]))
        errors.append(one_split(design, CONTENDERS, np.array([2 * n]), drawn, len(order) - 2 * n)[0][:, 0])
    return [
        Forecast(
            table=name,
            rows=n,
            classifier=curve["name"],
            now=curve["error"]["mean"][-1],
            measured=float(measured),
            **prediction["error"],
        )
        for curve, prediction, measured in zip(
            found["curves"], found["ahead"][0]["predictions"], np.mean(errors, axis=0), strict=True
        )
    ]
