"""Where the code of a note is: what it imports from the library and from its study, with the source of each."""

import ast
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from nbformat import NotebookNode

from course.site import source

_INLINE = re.compile(r"(?<![\[`])`(?P<name>[A-Za-z_]\w*)(?P<call>\(\))?`(?!\]\(|`)")


def addresses(notebook: NotebookNode, root: Path) -> dict[str, str]:
    """Names that a note imports from `probml`, each with the address of its source, in the order of the imports."""
    found: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for node in _imports(cell.source):
                for alias in node.names:
                    if (name := alias.asname or alias.name) not in found and (
                        found_at := address(root, node.module, alias.name)
                    ):
                        found[name] = found_at
    return found


def linked(text: str, found: dict[str, str]) -> str:
    """Markdown in which each name that stands as code is a link to its source, where it occurs first."""
    seen: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in found or name in seen:
            return match[0]
        seen.add(name)
        return f"[{match[0]}]({found[name]})"

    return _INLINE.sub(replace, text)


def _imports(code: str) -> list[ast.ImportFrom]:
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a line of IPython's own
        return []
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "probml"
    ]


def notes_using(notebooks: Mapping[str, NotebookNode], root: Path) -> dict[str, list[str]]:
    """Of each address of the library, the notes that import what stands there."""
    found: dict[str, list[str]] = {}
    for name, notebook in notebooks.items():
        for each in dict.fromkeys(addresses(notebook, root).values()):
            found.setdefault(each, []).append(name)
    return found


def address(root: Path, module: str, name: str) -> str | None:
    """Where `name` of a module of the library is defined."""
    if source.path_of(root, f"{module}.{name}"):  # a module of its own
        return f"source:{source.path_of(root, f'{module}.{name}')}"
    if not source.path_of(root, module):  # the note was executed when the library had another form
        return None
    value = getattr(import_module(module), name, None)
    origin = getattr(value, "__module__", "")
    if not isinstance(origin, str) or not origin.startswith("probml"):
        return None
    path = source.path_of(root, origin)
    line = source.definitions(root, path).get(getattr(value, "__qualname__", ""))
    return f"source:{path}#L{line}" if line else f"source:{path}"
