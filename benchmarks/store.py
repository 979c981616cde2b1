"""What has been measured, row by row, in benchmarks/results.json: rows can be measured anew one at a time."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

STORE = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Stored:
    """Lines of a table, in Markdown, and what they were measured on."""

    machine: str
    lines: tuple[str, ...]


def load(store: Path = STORE) -> dict[str, Stored]:
    """By the names of the rows."""
    if not store.is_file():
        return {}
    return {
        name: Stored(found["machine"], tuple(found["lines"]))
        for name, found in json.loads(store.read_text(encoding="utf-8")).items()
    }


def save(stored: dict[str, Stored], names: Iterable[str], store: Path = STORE) -> None:
    """In the order of the names; rows that are no more are forgotten."""
    kept = {name: asdict(stored[name]) for name in names if name in stored}
    store.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
