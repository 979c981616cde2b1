"""Is what was read what the registry declares? Rows, classes, every column by its checksum, and all of it by one."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.datasets.dataset import Column, Table
from course.datasets.registry import Entry
from course.errors import DataError

DIGITS = 8  # of a column's checksum: enough to tell which column a change is in; the whole table has a full one


def describe(table: Table) -> list[str]:
    """`name kind checksum` of each feature, then of the target, with the first digits of the checksum."""
    return [_shortened(line) for line in _lines(table)]


def checksum(table: Table) -> str:
    """Checksum of all that is in the table."""
    return _combined(table, _lines(table))


def count_missing(table: Table) -> int:
    """Number of missing cells of X; texts and pixels have none."""
    return 0 if isinstance(table.X, list) or table.X.dtype.kind != "f" else int(np.isnan(table.X).sum())


def check(declared: Entry, table: Table) -> None:
    """Raise DataError, naming the data set and the column, unless the table is as declared."""
    rows = (table.n_train, len(table.y) - table.n_train)
    if rows != declared.rows:
        raise DataError(f"{declared.name}: found {rows} rows (training, test), the registry says {declared.rows}")
    names = table.target.categories
    counts = dict(zip(names, np.bincount(table.y, minlength=len(names)).tolist(), strict=False)) if names else {}
    if counts != declared.classes:
        described = f"column {table.target.name!r} has the classes {counts}"
        raise DataError(f"{declared.name}: {described}, the registry says {declared.classes}")
    full = _lines(table)
    found = [_shortened(line) for line in full]
    if len(found) != len(declared.columns):
        raise DataError(f"{declared.name}: found {len(found)} columns, the registry says {len(declared.columns)}")
    for line, expected in zip(found, declared.columns, strict=True):
        if line != expected:
            raise DataError(f"{declared.name}: column {line.split()[0]!r} is {line!r}, the registry says {expected!r}")
    if (whole := _combined(table, full)) != declared.table:
        raise DataError(
            f"{declared.name}: the table has sha256 {whole}, the registry says {declared.table or 'nothing'}"
        )
    missing = count_missing(table)
    if missing != declared.missing:
        raise DataError(f"{declared.name}: found {missing} missing cells, the registry says {declared.missing}")


def _lines(table: Table) -> list[str]:
    """`name kind checksum` of each feature, then of the target. Pixels are described together."""
    if isinstance(table.X, list):
        features = [_line(table.features[0], hashlib.sha256("\0".join(table.X).encode()))]
    elif table.features[0].kind == "pixels":
        features = [_line(Column(f"{len(table.features)}-pixels", "pixels"), _digest(table.X))]
    else:
        features = [_line(column, _digest(x)) for column, x in zip(table.features, table.X.T, strict=True)]
    return [*features, _line(table.target, _digest(table.y))]


def _line(column: Column, digest: "hashlib._Hash") -> str:
    digest.update("\0".join(column.categories).encode())
    kind = f"discrete({len(column.categories)})" if column.kind == "discrete" else column.kind
    return f"{column.name} {kind} {digest.hexdigest()}"


def _shortened(line: str) -> str:
    return line[: DIGITS - 64]


def _combined(table: Table, lines: list[str]) -> str:
    """One checksum from those of the columns, and from how the bytes are laid out."""
    arrays = [part for part in (table.X, table.y) if not isinstance(part, list)]
    layout = [f"{_portable(array.dtype)} {array.shape}" for array in arrays]
    return hashlib.sha256("\n".join([*layout, *lines]).encode()).hexdigest()


def _digest(values: NDArray[Any]) -> "hashlib._Hash":
    return hashlib.sha256(np.ascontiguousarray(values, dtype=_portable(values.dtype)).data)


def _portable(dtype: np.dtype) -> str:
    """The type in which values are the same bytes on every machine."""
    return "<i8" if dtype.kind == "i" else dtype.newbyteorder("<").str
