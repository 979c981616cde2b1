"""Sheets: a subject on one printed page. Each Markdown file of course/sheets is a page of the site."""

from pathlib import Path

from course.site import links
from course.site.errors import SiteError

FOLDER = "course/sheets"


def names(root: Path) -> list[str]:
    """The sheets, by their names: those of their files, without .md."""
    return [path.stem for path in sorted((root / FOLDER).glob("*.md"))]


def title(root: Path, name: str) -> str:
    """The heading of a sheet."""
    first = _text(root, name).partition("\n")[0]
    if not first.startswith("# "):
        raise SiteError(f"{FOLDER}/{name}.md must begin with its title, '# …', it begins with {first!r}")
    return first.removeprefix("# ")


def page(root: Path, name: str, pages: set[str]) -> str:
    """A sheet with its links turned into addresses of the site. pages : those that there are."""

    def report(problem: str) -> None:
        raise SiteError(f"{FOLDER}/{name}.md: {problem}")

    return links.rewrite(_text(root, name), FOLDER, root, pages, report)


def _text(root: Path, name: str) -> str:
    return (root / FOLDER / f"{name}.md").read_text(encoding="utf-8")
