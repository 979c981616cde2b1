"""What was found in a data set, in a small file: it changes when the data do, so that the pipeline can depend on it."""

import json
from pathlib import Path

from course.datasets.dataset import Dataset
from course.datasets.registry import entry
from course.files import write_text


def write_receipt(data: Dataset, path: Path) -> None:
    """Write origin, checksums, rows and class counts of a verified data set to `path`."""
    declared = entry(data.name)
    receipt = {
        "name": data.name,
        "title": data.title,
        "wheels": [wheel.requirement for wheel in declared.wheels],
        "sha256": {key: member.sha256 for key, member in declared.files.items()},
        "rows": declared.rows,
        "class_counts": data.class_counts(),
        "columns": declared.columns,
    }
    write_text(path, json.dumps(receipt, indent=1) + "\n")
