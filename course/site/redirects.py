"""Pages that lead from an old address to a new one."""

import tomllib
from html import escape
from importlib.resources import files
from pathlib import Path

from course.site.errors import SiteError

_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{target}</title>
<meta http-equiv="refresh" content="0; url={target}"><link rel="canonical" href="{target}"></head>
<body><p>This page is now at <a href="{target}">{target}</a>.</p></body></html>
"""


def table() -> dict[str, str]:
    """Old page: new page, both as addresses on the site without .html."""
    return tomllib.loads(files("course.site").joinpath("redirects.toml").read_text(encoding="utf-8"))


def write(site: Path) -> None:
    """Write a page for each row of the table. An old address must be free, and a new one must exist."""
    for old, new in table().items():
        page, target = site / f"{old}.html", site / f"{new}.html"
        if page.exists():
            raise SiteError(f"redirects.toml: {old} is a page, it cannot lead to {new}")
        if not target.exists():
            raise SiteError(f"redirects.toml: {old} leads to {new}, which is no page")
        page.parent.mkdir(parents=True, exist_ok=True)
        address = "../" * old.count("/") + f"{new}.html"
        page.write_text(_PAGE.format(target=escape(address, quote=True)), encoding="utf-8")
