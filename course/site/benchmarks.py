"""The page of the benchmarks: its figure stands beside it, and its long tables are folds like others of the site."""

import re
import shutil
from pathlib import Path

PAGE = "benchmarks/README.md"
FIGURE = "ratios.png"


def page(text: str) -> str:
    """The page, from the text of PAGE with its links turned into addresses. Numbers stay with their units."""
    together = re.sub(r"(?<=\d) (?=(?:ms|s|MB)\b)|(?<=\d) (?=to \d)|(?<=\d to) (?=\d)", "\u00a0", text)
    return (
        together.replace(f"](source:benchmarks/{FIGURE})", f"]({FIGURE})")
        .replace("<details><summary>", '<details class="fold"><summary>')
        .replace("</summary>\n", '</summary><div class="fold-body">\n')
        .replace("\n</details>", "\n</div></details>")
    )


def copy_figure(root: Path, folder: Path) -> None:
    """Put the figure where the page looks for it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(root / "benchmarks" / FIGURE, folder / FIGURE)
