"""The "sick" thyroid records: attributes in one file, the class in another, row by row."""

import csv
import io

from course.datasets.dataset import Table
from course.datasets.formats import columns
from course.errors import DataError

MEASURED = ("age", "TSH", "T3", "TT4", "T4U", "FTI")  # numbers in one file, intervals in the other
IMPUTED = "sex"  # in the file with the class, 150 missing values of it were filled in


def read(files: dict[str, bytes]) -> Table:
    """Attributes from the file `attributes`, which has them as they were recorded, the class from the file `labels`.

    The two are two versions of one collection. That their rows still belong together is checked on every column that
    both hold in the same form. The attributes' own class is another one, and their column TBG is empty.
    """
    attributes, labels = _columns(files["attributes"]), _columns(files["labels"])
    for name in sorted(labels.keys() - {*MEASURED, "class"}):
        pairs = list(zip(attributes[name], labels[name], strict=True))
        row = next((i for i, (a, b) in enumerate(pairs) if a != b and not (name == IMPUTED and a == "?")), None)
        if row is not None:
            raise DataError(f"the two files no longer agree: column {name!r}, row {row}: {pairs[row]}")
    kept = {name: values for name, values in attributes.items() if name not in ("Class", "TBG", "TBG_measured")}
    return columns.table({**kept, "class": labels["class"]}, "class", kept.keys() - set(MEASURED))


def _columns(content: bytes) -> dict[str, tuple[str, ...]]:
    header, *rows = csv.reader(io.StringIO(content.decode("ascii"), newline=""))
    return dict(zip(header, zip(*rows, strict=True), strict=True))
