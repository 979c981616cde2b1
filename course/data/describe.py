"""For those who add a data set: what the registry has to say of it, from what is read."""

import json

import numpy as np

from course.datasets import parse, verify
from course.datasets.registry import entry


def registry_lines(name: str) -> str:
    """The lines from `rows` to `columns` of registry.toml for a set whose other lines are written."""
    table = parse(entry(name))
    lines = [f"rows = [{table.n_train}, {len(table.y) - table.n_train}]"]
    if names := table.target.categories:
        counts = np.bincount(table.y, minlength=len(names))
        pairs = (f"{json.dumps(label)} = {count}" for label, count in zip(names, counts, strict=True))
        lines.append(f"classes = {{ {', '.join(pairs)} }}")
    if missing := verify.count_missing(table):
        lines.append(f"missing = {missing}")
    lines.append(f'table = "{verify.checksum(table)}"')
    columns = "".join(f"  {json.dumps(line)},\n" for line in verify.describe(table))
    return "\n".join([*lines, f"columns = [\n{columns}]"])
