"""Files that are either there in full or not at all."""

import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file in one step: a reader, or a killed process, never leaves or sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
