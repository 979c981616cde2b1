"""Links of notes and of the other texts, turned into addresses of the site.

An address is written `site:notes/20-naive-bayes-by-hand` for a page and `source:probml/gda/gda.py` for a file of the
project; the extension makes both relative to the page they stand on. Links to the outside are left alone.
"""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

_LINK = re.compile(r"(?<=\]\()(?P<target>[^()\s]+)(?=(?:\s+\"[^\"]*\")?\))")
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)

PAGES = {
    "results/EQUATIONS.md": "ledgers/equations",
    "results/LEDGER.md": "ledgers/published-numbers",
    "data/README.md": "data",
    "benchmarks/README.md": "benchmarks",
    "course/site/pages/architecture.md": "architecture",
    "README.md": "index",
}


def rewrite(text: str, folder: str, root: Path, pages: set[str], report: Callable[[str], None]) -> str:
    """A Markdown text that stands in `folder` of the project, with its links turned into addresses of the site.

    `report` is told about every link that leads nowhere.
    """

    def replace(found: re.Match) -> str:
        target = found["target"]
        try:
            return address(target, folder, root, pages)
        except LookupError:
            report(f"the link to {target} leads nowhere")
            return target

    out, end = [], 0
    for fence in _FENCE.finditer(text):
        out += [_LINK.sub(replace, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*out, _LINK.sub(replace, text[end:])])


def address(target: str, folder: str, root: Path, pages: set[str]) -> str:
    """The address on the site of what a link from `folder` leads to. LookupError : there is no such file or page."""
    if target.startswith("#") or re.match(r"[a-z][a-z0-9+.-]*:", target):
        return target
    path, _, fragment = target.partition("#")
    full = _normal(PurePosixPath(folder) / path)
    tail = f"#{fragment}" if fragment else ""
    if page := PAGES.get(full) or _note(full) or _sheet(full):
        if page not in pages:
            raise LookupError(target)
        return f"site:{page}{tail}"
    if not (root / full).exists():
        raise LookupError(target)
    return f"source:{full}{tail}"


def _note(path: str) -> str | None:
    found = re.fullmatch(r"(?:results/(.+)/notebook|notebooks/(.+))\.ipynb", path)
    return f"notes/{found[1] or found[2]}" if found else None


def _sheet(path: str) -> str | None:
    found = re.fullmatch(r"course/(sheets/[^/]+)\.md", path)
    return found[1] if found else None


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return "/".join(parts)
