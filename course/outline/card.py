"""The card of a note: what a reader needs to know before reading it, from its first cells.

A note in the new form has a cell tagged `card` with four lines, and a first cell with its title and its abstract. Notes
without such a cell have no card.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course.errors import FormError
from course.outline import MAP, notes
from course.outline.layout import Cell, cells
from course.outline.reading import minutes

NOTHING = "school probability, logarithms, derivatives and a little NumPy"
NOTHING_YET = "nothing yet: each note says what it needs"  # of the map
LEVELS = ("core", "further")
_NEED = re.compile(r"\[[^\]]+\]\(\.\./([^/)]+)/notebook\.ipynb\)")
_LINES = {
    "You need": rf"{NOTHING}|{NOTHING_YET}|{_NEED.pattern}(?:, {_NEED.pattern})*",
    "You will be able to": r"\S.*",
    "Reading time": r"(\d+) minutes?",
    "Level": "|".join(LEVELS),
}


@dataclass(frozen=True)
class Card:
    """What stands at the top of a note.

    abstract : the paragraph below the title, in Markdown
    needs : names of the notes to have read before
    aims : what the reader will be able to do, in Markdown
    minutes : of reading
    level : core or further
    """

    abstract: str
    needs: tuple[str, ...]
    aims: tuple[str, ...]
    minutes: int
    level: str


def card_of(name: str, folder: Path = Path("notebooks")) -> Card | None:
    """The card of the note `name`, or None if it has none yet. folder : where the sources of the notes are."""
    import nbformat

    return read_card(nbformat.read(folder / f"{name}.ipynb", as_version=4), name)


def read_card(notebook: Mapping, name: str) -> Card | None:
    """The card of a notebook, or None if it has none. An error says which line of it is not as it should be."""
    found = cells(notebook)
    tagged = [cell for cell in found if "card" in cell.tags]
    if not tagged:
        return None
    if len(tagged) > 1:
        numbers = " and ".join(str(cell.number) for cell in tagged)
        raise FormError(f"{name}: a note has one cell tagged 'card', here are cells {numbers}")
    (cell,) = tagged
    values = _values(cell, name)
    needs = tuple(_NEED.findall(values["You need"]))
    aims = tuple(aim.strip() for aim in values["You will be able to"].rstrip(".").split(";"))
    time = int(values["Reading time"].split()[0])
    return Card(_abstract(found[0], name), needs, aims, time, values["Level"])


def expected_lines(notebook: Mapping, name: str) -> list[str]:
    """The lines of the card as they should be: all but the aims, which only the author knows."""
    needed, level = ((), LEVELS[0]) if name == MAP else (notes()[name].needs, notes()[name].level)
    needs = ", ".join(f"[{notes()[other].title}](../{other}/notebook.ipynb)" for other in needed)
    needs = needs or (NOTHING_YET if name == MAP else NOTHING)
    time = minutes(cells(notebook))
    return [
        f"**You need** {needs}  ",
        "**You will be able to** …  ",
        f"**Reading time** {time} minute{'s' * (time != 1)}  ",
        f"**Level** {level}",
    ]


def _values(cell: Cell, name: str) -> dict[str, str]:
    """What the card says, line by line."""
    where = f"{name}, cell {cell.number}"
    lines = cell.source.rstrip().split("\n")
    if cell.is_code or len(lines) != len(_LINES):
        raise FormError(f"{where}: the card is Markdown of four lines: {_listed([f'**{word}**' for word in _LINES])}")
    values = {}
    for (word, pattern), line in zip(_LINES.items(), lines, strict=True):
        found = re.fullmatch(rf"\*\*{word}\*\* ({pattern})( *)", line)
        if not found:
            raise FormError(f"{where}: expected a line of the card that begins **{word}**, found {line!r}{_hint(word)}")
        if word != "Level" and not line.endswith("  "):
            raise FormError(f"{where}: the line **{word}** needs two spaces at its end, or the next is joined to it")
        values[word] = found[1].strip()
    return values


def _hint(word: str) -> str:
    hints = {
        "You need": f", write links [Title](../NN-name/notebook.ipynb) or: {NOTHING}",
        "Reading time": ", write: **Reading time** 15 minutes",
        "Level": f", write: {' or '.join(f'**Level** {level}' for level in LEVELS)}",
    }
    return hints.get(word, "")


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _abstract(cell: Cell, name: str) -> str:
    """The one paragraph below the title."""
    found = re.fullmatch(r"# [^\n]+\n\s*\n(.+)", cell.source.strip(), re.DOTALL)
    if cell.is_code or not found or re.search(r"\n\s*\n", found[1]):
        raise FormError(f"{name}, cell 1: expected '# Title', an empty line and one paragraph, the abstract")
    return " ".join(found[1].split())
