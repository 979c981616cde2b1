"""What the notes found, in pictures, for the front page."""

from dataclasses import dataclass
from functools import cache

from course.outline.toml import read_toml

__all__ = ["Demo", "Finding", "demo", "findings"]


@dataclass(frozen=True)
class Finding:
    """What a figure of a note shows. figure : results/`note`/`figure`.png; its alternative text is the note's

    crop : the part of the figure that is shown: left, top, right and bottom, as shares of its width and height
    """

    note: str
    figure: str
    title: str
    sentence: str
    crop: tuple[float, float, float, float] = (0, 0, 1, 1)

    @property
    def file(self) -> str:
        """The figure's file, from the folder of the project."""
        return f"results/{self.note}/{self.figure}.png"


@dataclass(frozen=True)
class Demo(Finding):
    """A figure that readers can move. interactive : its name in course/interactive; `figure` is the picture of it"""

    interactive: str = ""


@cache
def demo() -> Demo:
    """The interactive figure of the front page."""
    return Demo(**read_toml("findings.toml")["demo"])


@cache
def findings() -> tuple[Finding, ...]:
    """All findings, in the order of the page."""
    entries = read_toml("findings.toml")["finding"]
    return tuple(Finding(**{**entry, "crop": tuple(entry.get("crop", Finding.crop))}) for entry in entries)
