"""What has been measured, row by row, in benchmarks/results.json: rows can be measured anew one at a time."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.chunks import ChunkTiming
from benchmarks.measure import Measurement, Timed
from benchmarks.race import Ratio

STORE = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Stored:
    """What was measured of a row, or of a stream of chunks, and on what."""

    machine: str
    measured: Measurement | tuple[ChunkTiming, ...]


def load(store: Path = STORE) -> dict[str, Stored]:
    """By the names of the rows."""
    if not store.is_file():
        return {}
    found = json.loads(store.read_text(encoding="utf-8"))
    return {name: Stored(each["machine"], _measured(each["measured"])) for name, each in found.items()}


def save(stored: Mapping[str, Stored], names: Iterable[str], store: Path = STORE) -> None:
    """In the order of the names; rows that are no more are forgotten."""
    kept = {name: asdict(stored[name]) for name in names if name in stored}
    store.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def rows(stored: Mapping[str, Stored]) -> dict[str, Measurement]:
    """All but the stream of chunks."""
    return {name: each.measured for name, each in stored.items() if isinstance(each.measured, Measurement)}


def chunks(stored: Mapping[str, Stored]) -> tuple[ChunkTiming, ...]:
    """The stream of chunks."""
    return next((each.measured for each in stored.values() if not isinstance(each.measured, Measurement)), ())


def _measured(found: dict[str, Any] | list[dict[str, Any]]) -> Measurement | tuple[ChunkTiming, ...]:
    if isinstance(found, list):
        return tuple(ChunkTiming(**{**each, **_tuples(each, "seconds", "memory")}) for each in found)
    return Measurement(**{**found, "sides": tuple(map(_timed, found["sides"]))})


def _timed(found: dict[str, Any]) -> Timed:
    return Timed(**{**found, "ratio": found["ratio"] and Ratio(**found["ratio"])})


def _tuples(found: Mapping[str, Any], *names: str) -> dict[str, tuple]:
    return {name: tuple(found[name]) for name in names}
