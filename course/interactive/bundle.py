"""One script of several ES modules: module files do not load from file://, and a notebook has no place for them."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";\n+', re.MULTILINE)
EXPORT = re.compile(r"^export (?=function|const)", re.MULTILINE)


def names() -> list[str]:
    """The figures that there are."""
    return sorted(path.stem for path in (FOLDER / "figures").glob("*.js"))


def html(name: str) -> str:
    """A place for the figure, its style, and the script that puts it there; the same text on every run."""
    style = (FOLDER / "framework/style.css").read_text(encoding="utf-8")
    mounting = f'mount("{name}", build);\n'
    return (
        f'<div class="probml-figure" data-figure="{name}"></div>\n'
        f'<style>\n{style}</style>\n<script type="module">\n{script(name)}\n{mounting}</script>'
    )


def script(name: str) -> str:
    """The module of a figure with all that it imports: each module once, after those that it needs itself.

    Modules share one scope then, so that no two of them may give the same name to different things.
    """
    if name not in names():
        raise ValueError(f"there is no interactive figure {name!r}; there are {', '.join(names())}")
    found: dict[Path, str] = {}
    _collect(FOLDER / "figures" / f"{name}.js", found)
    return "\n".join(found.values())


def _collect(module: Path, found: dict[Path, str]) -> None:
    source = module.read_text(encoding="utf-8")
    for other in IMPORT.findall(source):
        path = (module.parent / other).resolve()
        if path not in found:
            _collect(path, found)
    found[module.resolve()] = EXPORT.sub("", IMPORT.sub("", source))
