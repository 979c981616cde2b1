"""From columns of strings to a table of numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.datasets.dataset import Column, Table, classes, coded
from course.errors import DataError

MISSING = ("", "?")


def by_name(header: Sequence[str], rows: Sequence[Sequence[str]], leave_out: Sequence[str]) -> dict[str, list[str]]:
    """The columns of some rows, without those to leave out."""
    wrong = next((row for row in rows if len(row) != len(header)), None)
    if wrong is not None:
        raise DataError(f"expected {len(header)} columns, received {len(wrong)}: {wrong[:5]}")
    return {name: [row[n] for row in rows] for n, name in enumerate(header) if name not in leave_out}


def table(columns: Mapping[str, Sequence[str]], target: str, discrete: set[str], *, regression: bool = False) -> Table:
    """A table from named columns: those in `discrete` are coded, the others are numbers, "" and "?" are missing."""
    for name in (target, *sorted(discrete)):
        if name not in columns:
            raise DataError(f"there is no column {name!r} among {', '.join(columns)}")
    features, X = [], []
    for name, values in columns.items():
        if name == target:
            continue
        if name in discrete:
            numbers, categories = coded(values, MISSING)
            features.append(Column(name, "discrete", categories))
        else:
            numbers = _numbers(name, values)
            features.append(Column(name, "continuous"))
        X.append(numbers)
    y: NDArray[Any]
    if regression:
        y, column = _numbers(target, columns[target]), Column(target, "continuous")
    else:
        y, names = classes(columns[target])
        column = Column(target, "discrete", names)
    return Table(np.column_stack(X), y, tuple(features), column, len(y))


def _numbers(name: str, values: Sequence[str]) -> NDArray[np.float64]:
    try:
        return np.array([np.nan if value in MISSING else float(value) for value in values])
    except ValueError as error:
        raise DataError(f"column {name!r} should hold numbers: {error}") from None
