"""A table from a file or a data frame: names, values column by column, and where in the file each row stands."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from probml.errors import DataError, MissingPackageError

DELIMITERS = ",;\t|"
TEXT = {".csv", ".tsv", ".tab", ".txt"}
# Of each format, the functions that read it, the first whose package is installed.
READERS = {
    ".parquet": ("polars.read_parquet", "pyarrow.parquet.read_table"),
    ".arrow": ("polars.read_ipc", "pyarrow.feather.read_table"),
    ".feather": ("polars.read_ipc", "pyarrow.feather.read_table"),
}


@dataclass(frozen=True)
class Table:
    """source : what messages call it. columns : values by name, all of one length. lines : of the file, by row."""

    source: str
    columns: Mapping[str, Sequence[object]]
    lines: Sequence[int] | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def place(self, row: int) -> str:
        """Where a row is: a line of the file, or a row of the data frame, counted from 0 as there."""
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"


def read(data: Any) -> Table:  # noqa: ANN401
    """From the path of a file, a data frame that narwhals knows, a mapping of columns, or an array of shape (N, n)."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | Path):
        return _of_file(Path(data))
    if isinstance(data, Mapping):
        return _checked("the table", {str(name): list(values) for name, values in data.items()})
    if isinstance(data, np.ndarray | list):
        values = np.asarray(data)
        if values.ndim != 2:
            raise DataError(f"X must be a table of shape (N, n), received shape {values.shape}")
        return _checked("the array", {f"x{j}": column.tolist() for j, column in enumerate(values.T)})
    return _of_frame(data, "the data frame")


def _of_frame(data: Any, source: str) -> Table:  # noqa: ANN401
    try:
        frame = nw.from_native(data, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise DataError(f"{source}: each column needs a name of its own. {' '.join(str(error).split())}") from error
    except TypeError as error:
        raise DataError(
            f"cannot read a table from {type(data).__name__}: give the path of a file, a data frame (pandas, polars, "
            "pyarrow and others), a mapping of columns, or an array"
        ) from error
    return _checked(source, {str(column.name): column.to_list() for column in frame.iter_columns()})


def _of_file(path: Path) -> Table:
    if not path.is_file():
        raise DataError(f"{path}: {'a folder, not a file' if path.is_dir() else 'there is no such file'}")
    kind = path.suffix.lower()
    if kind in TEXT:
        return _of_text(path)
    if kind not in READERS:
        raise DataError(f"{path}: the name must end in {', '.join(sorted({*TEXT, *READERS}))}, not in {kind!r}")
    for reader in READERS[kind]:
        module, _, name = reader.rpartition(".")
        try:
            function = getattr(import_module(module), name)
        except ModuleNotFoundError:
            continue
        try:
            frame = function(path)
        except Exception as error:  # each package has its own for a file that it cannot read
            raise DataError(f"{path}: not a {kind} file that {module.partition('.')[0]} can read: {error}") from error
        return _of_frame(frame, str(path))
    raise MissingPackageError(f"{path}: to read {kind} takes polars or pyarrow: pip install pyarrow")


def _of_text(path: Path) -> Table:
    """Of CSV and the like, every value a string. The delimiter is the one that the first line has most of."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path}, line {line}: not UTF-8 text: save the file as UTF-8") from error
    lines = StringIO(text, newline="")
    first = re.sub('"[^"]*"', "", lines.readline())  # a quoted name may have commas of its own
    lines.seek(0)
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else max(DELIMITERS, key=first.count)
    rows = list(_rows(path, csv.reader(lines, delimiter=delimiter, strict=True)))
    if not rows:
        raise DataError(f"{path}: the file is empty")
    (_, names), *body = rows
    if not body:
        raise DataError(f"{path}: a line of names, and no rows below it")
    for line, row in body:
        if len(row) != len(names):
            raise DataError(f"{path}, line {line}: {len(row)} values where the first line has {len(names)} names")
    if "" in names:
        raise DataError(
            f"{path}, line 1: column {names.index('') + 1} of {len(names)} has no name. Give it one, or remove it; "
            "the index of a data frame is not written with to_csv(..., index=False)"
        )
    if twice := {name for name in names if names.count(name) > 1}:
        raise DataError(f"{path}, line 1: each column needs a name of its own; received twice: {sorted(twice)}")
    columns = dict(zip(names, zip(*(row for _, row in body), strict=True), strict=True))
    return Table(str(path), columns, [line for line, _ in body])


def _rows(path: Path, reader: Any) -> Iterator[tuple[int, list[str]]]:  # noqa: ANN401
    """Rows with the lines on which they begin; blank lines are left out."""
    line = 1
    try:
        for row in reader:
            if any(row):
                yield line, [value.strip() for value in row]
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{path}, line {line}: broken: {error}") from error


def _checked(source: str, columns: dict[str, Any]) -> Table:
    if not columns or not len(next(iter(columns.values()))):
        raise DataError(f"{source} has no rows or no columns")
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise DataError(f"{source}: the columns must be of one length, received {sorted(lengths)}")
    return Table(source, columns)
