"""What the executed notes hold that has to arrive on their pages."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

IMAGE = re.compile(r"!\[([^\]]*)\]\(")
SOLUTION = re.compile(r"^(?:#{1,6} |\*\*)(Solution \d+)", re.MULTILINE)
FOLDED_SECTION = re.compile(r"^#{1,6} (Checks|Published numbers)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Note:
    """An executed note. path : of its notebook"""

    path: Path

    @property
    def page(self) -> str:
        """Path of its page in the site."""
        return f"notes/{self.path.parent.name}.html"

    @cached_property
    def cells(self) -> list[dict]:
        """The cells of the notebook."""
        return json.loads(self.path.read_text(encoding="utf-8"))["cells"]

    @property
    def text(self) -> str:
        """The prose."""
        return "\n\n".join("".join(cell["source"]) for cell in self.cells if cell["cell_type"] == "markdown")

    def alternative_texts(self) -> list[str]:
        """Of every figure, in order."""
        return [
            output["metadata"].get("image/png", {}).get("alt", "")
            for cell in self.cells
            for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        ] + IMAGE.findall(self.text)

    def folds(self) -> list[str]:
        """Titles of what is folded: each solution, and the sections that only checkers read."""
        return SOLUTION.findall(self.text) + FOLDED_SECTION.findall(self.text)


def notes(results: Path) -> list[Note]:
    """All executed notes, in the order of the course."""
    return [Note(path) for path in sorted(results.glob("[0-9]*/notebook.ipynb"))]
