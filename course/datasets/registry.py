"""The registry of data sets: `registry.toml` as typed, immutable records."""

import difflib
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from course.errors import DataError, UnknownDataError


@dataclass(frozen=True)
class Wheel:
    """A pinned wheel of the package registry, used as an archive of data files."""

    requirement: str
    file: str
    bytes: int
    sha256: str
    pip_options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Member:
    """One file of a data set: the wheel that holds it, its path in there, its checksum."""

    wheel: Wheel
    path: str
    sha256: str

    def __post_init__(self) -> None:
        path = PurePosixPath(self.path)
        if path.is_absolute() or ".." in path.parts or "\\" in self.path:
            raise DataError(f"{self.path!r} is no path inside a wheel: it leads out of it")


@dataclass(frozen=True)
class Entry:
    """All that is declared of one data set.

    rows : of the training and the test part. classes : examples of each class, in both parts together.
    columns : `name kind checksum` of each feature, then of the target; table : checksum of all of them; see `verify`.
    missing : number of missing cells.
    on_demand : large, in a large wheel, or of one note only, in a wheel that others need too: fetched when it is loaded
        or asked for by name, not with all the others, and without a receipt in results/data.
    """

    name: str
    title: str
    description: str
    format: str
    source: str
    citation: str
    licence: str
    files: dict[str, Member]
    rows: tuple[int, int]
    columns: tuple[str, ...]
    table: str = ""
    classes: dict[str, int] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    missing: int = 0
    on_demand: bool = False
    quirks: str = ""

    @property
    def wheels(self) -> list[Wheel]:
        """The wheels that hold its files."""
        return list(dict.fromkeys(member.wheel for member in self.files.values()))


@cache
def entries() -> dict[str, Entry]:
    """All that is declared, by name."""
    raw = tomllib.loads(files("course.datasets").joinpath("registry.toml").read_text(encoding="utf-8"))
    wheels = {
        key: Wheel(**{**fields, "pip_options": tuple(fields.get("pip_options", ()))})
        for key, fields in raw["wheels"].items()
    }

    def entry_of(name: str, fields: dict[str, Any]) -> Entry:
        members = {
            key: Member(**{**member, "wheel": wheels[member["wheel"]]}) for key, member in fields["files"].items()
        }
        lists = {"rows": tuple(fields.get("rows", (0, 0))), "columns": tuple(fields.get("columns", ()))}
        return Entry(**{**fields, "name": name, "files": members, **lists})

    return {name: entry_of(name, fields) for name, fields in raw["sets"].items()}


def names(*, on_demand: bool = True) -> list[str]:
    """Names of all registered data sets, with or without those that are fetched on demand only."""
    return sorted(name for name, declared in entries().items() if on_demand or not declared.on_demand)


def entry(name: str) -> Entry:
    """What the registry declares of the data set `name`."""
    try:
        return entries()[name]
    except KeyError:
        close = difflib.get_close_matches(name, names(), n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownDataError(f"unknown data set {name!r}.{hint} Known: {', '.join(names())}") from None
