"""What was found in a data set, in a small file: it changes when the data do, so that the pipeline can depend on it."""

import json
from pathlib import Path

from probml.datasets import load
from probml.datasets.registry import entry
from probml.files import write_text


def write_receipt(name: str, path: Path) -> None:
    """Load and verify the data set `name`, then write its origin, checksums and class counts to `path`."""
    declared, data = entry(name), load(name)
    receipt = {
        "name": name,
        "title": data.title,
        "wheel": declared.wheel.requirement,
        "sha256": {part: file.sha256 for part, file in declared.parts.items()},
        "class_counts": data.class_counts(),
    }
    write_text(path, json.dumps(receipt, indent=1) + "\n")
