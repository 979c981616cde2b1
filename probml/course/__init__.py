"""The course: its topics, and where the notes treat them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Section", "Topic", "topics"]


@dataclass(frozen=True)
class Section:
    """A numbered section of a note."""

    note: str
    number: int

    def __str__(self) -> str:
        return f"{self.note}, section {self.number}"


@dataclass(frozen=True)
class Topic:
    """A topic of the course and the sections that treat it, the main one first."""

    id: str
    title: str
    sections: tuple[Section, ...]


@cache
def topics() -> dict[str, Topic]:
    """All topics by their ids, in the order of the course."""
    text = files("probml.course").joinpath("topics.toml").read_text(encoding="utf-8")
    return {
        key: Topic(key, entry["title"], tuple(_section(each) for each in entry["sections"]))
        for key, entry in tomllib.loads(text).items()
    }


def _section(text: str) -> Section:
    note, number = text.split("#")
    return Section(note, int(number))
