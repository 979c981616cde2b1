"""The course: its topics, and where the notes treat them."""

from dataclasses import dataclass
from functools import cache

from course.outline.toml import read_toml

__all__ = ["MAP", "Note", "Section", "Topic", "notes", "topics"]

MAP = "00-course-map"  # shows the way to the others, and so has neither lessons nor exercises; `notes` leaves it out


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
class Headline:
    """The number that stands for a note: `key` of its metrics in `file`.json, and what it is, in words."""

    file: str
    key: str
    quantity: str


@dataclass(frozen=True)
class Curves:
    """Columns `y` of the table `file`.csv against its column `x`, drawn by DVC."""

    title: str
    file: str
    x: str
    y: tuple[str, ...]
    label: str


@dataclass(frozen=True)
class Note:
    """A note: its title, the part of the course it belongs to, what it asks, and the notes it stands on.

    `level` is core (what everyone should have read, and what other core notes stand on) or further. `minutes` is how
    long it takes to read.

    For the pipeline: how many seconds it takes if it takes long, its headline, the names of the figures that stand for
    it, and curves.
    """

    name: str
    title: str
    part: str
    question: str
    needs: tuple[str, ...]
    level: str
    minutes: int
    seconds: int = 0
    headline: Headline | None = None
    plots: tuple[str, ...] = ()
    curves: tuple[Curves, ...] = ()


@cache
def notes() -> dict[str, Note]:
    """All notes by their names, in the order of the course."""
    return {name: _note(name, **entry) for name, entry in read_toml("notes.toml").items()}


@cache
def topics() -> dict[str, Topic]:
    """All topics by their ids, in the order of the course."""
    return {
        key: Topic(key, entry["title"], tuple(_section(each) for each in entry["sections"]))
        for key, entry in read_toml("topics.toml").items()
    }


def _note(
    name: str,
    *,
    needs: list[str],
    headline: dict[str, str] | None = None,
    plots: list[str] = (),
    curves: list[dict] = (),
    **plain: object,
) -> Note:
    return Note(
        name,
        needs=tuple(needs),
        headline=Headline(**headline) if headline else None,
        plots=tuple(plots),
        curves=tuple(Curves(**{**each, "y": tuple(each["y"])}) for each in curves),
        **plain,
    )


def _section(text: str) -> Section:
    note, number = text.split("#")
    return Section(note, int(number))
