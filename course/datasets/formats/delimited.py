"""Tables as text, a row a line, with or without a header."""

import csv
import io
from collections.abc import Sequence

from course.datasets.dataset import Table
from course.datasets.formats import columns


def read(
    files: dict[str, bytes],
    *,
    target: str,
    names: Sequence[str] | None = None,
    separator: str = ",",
    discrete: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    regression: bool = False,
) -> Table:
    """The file `table`. names : of the columns, where there is no header; `pixel1..64` stands for 64 names."""
    rows = list(csv.reader(io.StringIO(files["table"].decode("utf-8"), newline=""), delimiter=separator))
    rows = [row for row in rows if row]
    header = _written_out(names) if names else [name.strip() for name in rows.pop(0)]
    kept = columns.by_name(header, rows, leave_out)
    return columns.table(kept, target, set(discrete), regression=regression)


def _written_out(names: Sequence[str]) -> list[str]:
    written = []
    for name in names:
        prefix, dots, last = name.partition("1..")
        written += [f"{prefix}{n}" for n in range(1, int(last) + 1)] if dots else [name]
    return written
