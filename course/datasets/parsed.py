"""Tables as they were parsed, kept beside the wheels: a second load reads arrays instead of text."""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from course.datasets.dataset import Column, Table
from course.datasets.registry import Entry
from course.datasets.wheels import cache_dir, open_file


def path_of(declared: Entry) -> Path:
    """Where the table is kept: another declaration, another file."""
    content = (declared.files, declared.format, declared.options, declared.rows, declared.columns)
    digest = hashlib.sha256(repr(content).encode()).hexdigest()[:16]
    return cache_dir() / "parsed" / f"{declared.name}-{digest}.npz"


def load(declared: Entry) -> Table | None:
    """The table, or None if it is not there or not readable."""
    try:
        with open_file(path_of(declared)) as file, np.load(file, allow_pickle=False) as arrays:
            *features, target = (
                Column(name, kind, tuple(values)) for name, kind, values in json.loads(str(arrays["columns"]))
            )
            return Table(arrays["X"], arrays["y"], tuple(features), target, int(arrays["n_train"]))
    except Exception:  # a damaged archive can make zipfile raise almost anything
        return None


def save(declared: Entry, table: Table) -> None:
    """Keep the table, in one step. A cache that cannot be written is no error: the next load parses again."""
    path = path_of(declared)
    columns = json.dumps([[c.name, c.kind, c.categories] for c in (*table.features, table.target)])
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{declared.name}-", suffix=".npz", delete=False
        ) as file:
            try:
                np.savez(file, X=table.X, y=table.y, columns=columns, n_train=table.n_train)
                file.close()
                os.replace(file.name, path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
