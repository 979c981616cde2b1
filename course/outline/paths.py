"""Paths through the course: a unit of two weeks, a semester, the shortest way to an answer."""

from dataclasses import dataclass
from functools import cache

from course.outline import notes
from course.outline.toml import read_toml

__all__ = ["CoursePath", "Shortcut", "Stage", "hours", "paths"]

_SPACE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Stage:
    """A part of a path, such as a week, with its notes in the order in which to read them."""

    title: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Shortcut:
    """A path comes to `note` without having read `skips`, which the note needs; what to know `instead`."""

    note: str
    skips: str
    instead: str


@dataclass(frozen=True)
class CoursePath:
    """A path through the course: whom it is for (`audience`), and what one can do at its end (`outcome`).

    label : a short title, for figures
    """

    id: str
    title: str
    label: str
    audience: str
    outcome: str
    stages: tuple[Stage, ...]
    shortcuts: tuple[Shortcut, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The names of all notes, in the order in which to read them."""
        return tuple(name for stage in self.stages for name in stage.notes)

    @property
    def minutes(self) -> int:
        """How long it takes to read all notes."""
        return sum(notes()[name].minutes for name in self.notes)

    def missing(self) -> list[tuple[str, str]]:
        """Pairs of a note and one that it needs, which the path has not visited before and does not say to skip."""
        said = {(shortcut.note, shortcut.skips) for shortcut in self.shortcuts}
        return [
            (name, needed)
            for place, name in enumerate(self.notes)
            for needed in notes()[name].needs
            if needed not in self.notes[:place] and (name, needed) not in said
        ]


@cache
def paths() -> dict[str, CoursePath]:
    """All paths by their ids."""
    return {key: _path(key, **entry) for key, entry in read_toml("paths.toml").items()}


def _path(key: str, *, stages: list[dict], shortcuts: list[dict] = (), **plain: str) -> CoursePath:
    return CoursePath(
        key,
        stages=tuple(Stage(each["title"], tuple(each["notes"])) for each in stages),
        shortcuts=tuple(Shortcut(**each) for each in shortcuts),
        **plain,
    )


def hours(minutes: int) -> str:
    """A duration as people say it: to the minute below an hour, in quarters of an hour above."""
    if minutes < 60:
        return f"{minutes}{_SPACE}minutes"
    whole, quarters = divmod(round(minutes / 15), 4)
    return f"{whole}{('', '¼', '½', '¾')[quarters]}{_SPACE}hour{'s' * ((whole, quarters) != (1, 0))}"
