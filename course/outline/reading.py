"""How long a note takes to read, by a rule that anyone can apply to it."""

import re
from collections.abc import Iterable

from course.outline.layout import Cell

WORDS_PER_MINUTE = 200  # of prose with mathematics in it
WORDS_PER_FORMULA = 4  # for a formula within a line: it is read symbol by symbol
SECONDS_PER_DISPLAY = 30  # for a displayed formula
SECONDS_PER_CELL = 20  # for a cell of code with what it shows: a figure, a table, a number

_DISPLAY = re.compile(r"\$\$.*?\$\$", re.DOTALL)
_INLINE = re.compile(r"\$[^$]+\$")
_TARGET = re.compile(r"(?<=\])\([^)]*\)")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def minutes(cells: Iterable[Cell]) -> int:
    """Minutes that a note takes to read: its words, displayed formulas and cells of code, each with its allowance.

    Solutions, the card, preparation and the last two sections are not counted. A formula within a line counts as
    four words, each word of a table as one; where links lead to is not read.
    """
    seconds = 0.0
    for cell in cells:
        if not cell.is_seen or "card" in cell.tags:
            continue
        if cell.is_code:
            seconds += SECONDS_PER_CELL
        else:
            words, displays = _counts(cell.source)
            seconds += words * 60 / WORDS_PER_MINUTE + displays * SECONDS_PER_DISPLAY
    return max(1, int(seconds / 60 + 0.5))


def _counts(markdown: str) -> tuple[int, int]:
    """The numbers of words, formulas within lines included, and of displayed formulas."""
    text, displays = _DISPLAY.subn(" ", markdown)
    text, formulas = _INLINE.subn(" ", text)
    return len(_WORD.findall(_TARGET.sub("", text))) + formulas * WORDS_PER_FORMULA, displays
