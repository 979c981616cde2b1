"""Tables in Orange's tab-separated format: names, then kinds, then roles of the columns, then the rows."""

from collections.abc import Sequence

from course.datasets.dataset import Table
from course.datasets.formats import columns

CONTINUOUS = ("c", "continuous")


def read(
    files: dict[str, bytes],
    *,
    target: str,
    discrete: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    regression: bool = False,
) -> Table:
    """The file `table`. discrete : columns that are marked continuous and yet hold codes."""
    lines = files["table"].decode("ascii").splitlines()
    header, kinds = ([cell.strip() for cell in line.split("\t")] for line in lines[:2])
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines[3:] if line]
    marked = {name for name, kind in zip(header, kinds, strict=True) if kind not in CONTINUOUS}
    kept = columns.by_name(header, rows, leave_out)
    return columns.table(kept, target, (marked & kept.keys()) | set(discrete), regression=regression)
