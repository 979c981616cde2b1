"""Pages of source code, with a number and an address for each line."""

import ast
from functools import cache
from importlib import import_module
from importlib.resources import files as resources
from pathlib import Path
from string import Template

from pygments import highlight
from pygments.lexers import PythonLexer

from course.site.highlighting import Formatter

FOLDERS = ("probml", "course/datasets", "course/equations", "course/studies", "course/interactive")


@cache
def files(root: Path) -> list[str]:
    """The files that have a page: the library, data sets, the checks of equations, studies, interactive figures."""
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*.py"))
    return sorted(path.relative_to(root).as_posix() for path in found if path.read_text(encoding="utf-8").strip())


def address(root: Path, path: str, fragment: str = "", name: str = "") -> str | None:
    """Where a file stands on the site, at the line of the class or function that is called `name`; None: nowhere.

    A folder stands for its package.
    """
    if (root / path).is_dir():
        path = f"{path.rstrip('/')}/__init__.py"
    if path not in files(root):
        return None
    if fragment:  # a line, as GitHub counts it
        return f"source/{path.removesuffix('.py')}.html#{fragment.replace('L', 'L-', 1)}"
    line = f"L-{number}" if (number := definitions(root, path).get(name.strip("()"))) else ""
    return f"source/{path.removesuffix('.py')}.html" + (f"#{line}" if line else "")


def of_object(root: Path, module: str, name: str) -> str | None:
    """Where a class, a function or a method of the library is defined, on the site."""
    found: object = import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    found = found.fget if isinstance(found, property) else getattr(found, "func", found)
    if not getattr(found, "__module__", "").startswith("probml"):
        return None
    return address(root, path_of(root, found.__module__), "", getattr(found, "__qualname__", ""))


def path_of(root: Path, module: str) -> str | None:
    """The file of a module of the project, if it has a page."""
    path = module.replace(".", "/")
    return next((file for file in (f"{path}.py", f"{path}/__init__.py") if file in files(root)), None)


@cache
def definitions(root: Path, path: str) -> dict[str, int]:
    """First lines of the classes, functions and methods of a file, by their names."""
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    found: dict[str, int] = {}

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                found.setdefault(prefix + child.name, child.lineno)
                if isinstance(child, ast.ClassDef):
                    walk(child, f"{prefix}{child.name}.")

    walk(tree, "")
    return found


def write(root: Path, site: Path) -> None:
    """Write the pages. Sphinx has no part in it: its navigation would take longer than all notes together."""
    template = Template(resources("course.site").joinpath("templates/source.html").read_text(encoding="utf-8"))
    formatter = Formatter(linespans="L", wrapcode=True)
    for path in files(root):
        code = highlight((root / path).read_text(encoding="utf-8"), PythonLexer(), formatter)
        target = site / f"source/{path.removesuffix('.py')}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        page = template.substitute(path=path, code=code, up="../" * (path.count("/") + 1))
        target.write_text(page, encoding="utf-8")
