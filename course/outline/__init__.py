"""The course: its topics, and where the notes treat them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Note", "Section", "Topic", "notes", "topics"]


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


@dataclass(frozen=True)
class Note:
    """A note: its title, the part of the course it belongs to, what it asks, and the notes it stands on."""

    name: str
    title: str
    part: str
    question: str
    needs: tuple[str, ...]


@cache
def notes() -> dict[str, Note]:
    """All notes by their names, in the order of the course."""
    return {
        name: Note(name, entry["title"], entry["part"], entry["question"], tuple(entry["needs"]))
        for name, entry in _read("notes.toml").items()
    }


@cache
def topics() -> dict[str, Topic]:
    """All topics by their ids, in the order of the course."""
    return {
        key: Topic(key, entry["title"], tuple(_section(each) for each in entry["sections"]))
        for key, entry in _read("topics.toml").items()
    }


def _section(text: str) -> Section:
    note, number = text.split("#")
    return Section(note, int(number))


def _read(file: str) -> dict:
    return tomllib.loads(files("course.outline").joinpath(file).read_text(encoding="utf-8"))
