"""A note cell by cell: the section that a cell belongs to, and whether readers see it at once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

APPENDICES = ("Published numbers", "Checks")  # the last sections, folded on the site
UNSEEN = frozenset({"parameters", "setup", "solution"})  # tags of cells that the site folds and budgets leave out
_SECTION = re.compile(r"^## (.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A cell of a note.

    number : its place, from 1, as error messages count
    section : text of the heading it stands under, as "2 The multinomial event model"; "" before the first
    """

    number: int
    is_code: bool
    source: str
    tags: frozenset[str]
    section: str

    @property
    def in_appendix(self) -> bool:
        """Whether it is one of the last sections, in which assertions and claims stand."""
        return self.section in APPENDICES

    @property
    def is_seen(self) -> bool:
        """Whether it is part of what one reads: neither a solution nor preparation nor appendix."""
        return not self.in_appendix and not self.tags & UNSEEN

    @property
    def lines(self) -> list[str]:
        """Its lines, without the empty ones."""
        return [line for line in self.source.splitlines() if line.strip()]


def cells(notebook: Mapping) -> list[Cell]:
    """The cells of a notebook, as nbformat reads it, in their order."""
    found, section = [], ""
    for number, cell in enumerate(notebook["cells"], start=1):
        is_code, source = cell["cell_type"] == "code", cell["source"]
        if not is_code and (headings := _SECTION.findall(source)):
            section = headings[-1]
        found.append(Cell(number, is_code, source, frozenset(cell["metadata"].get("tags", ())), section))
    return found
