"""The API of `probml`: a page for each package with all that it makes public, and an overview."""

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from course.outline import notes
from course.site import code_links

# In the order of a reader: models first, then what they are made of.
PACKAGES = (
    "naive_bayes",
    "gda",
    "linear_model",
    "nbsvm",
    "families",
    "generative",
    "losses",
    "objectives",
    "solvers",
    "curves",
    "comparison",
    "text",
    "metrics",
    "errors",
)


def pages(root: Path, using: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Names and texts of the pages, in reStructuredText for autodoc. using : notes that use what is at an address."""
    modules = {name: import_module(f"probml.{name}") for name in PACKAGES}
    texts = {f"api/{name}.rst": _page(root, name, module, using) for name, module in modules.items()}
    return {**texts, "api/index.rst": _overview(modules)}


def public(module: ModuleType) -> list[str]:
    """The names that a module makes public: those it lists, or those it defines."""
    defined = (name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__)
    return list(getattr(module, "__all__", [name for name in defined if not name.startswith("_")]))


def members(found: type) -> list[str]:
    """The public methods and properties of a class that `probml` defines, those it inherits included."""
    return [
        name
        for name, value in inspect.getmembers(found)
        if not name.startswith("_") and _origin(value).startswith("probml") and _documented(found, name)
    ]


def _documented(found: type, name: str) -> bool:
    value = inspect.getattr_static(found, name)
    return bool(inspect.getdoc(value)) and (callable(getattr(found, name)) or isinstance(value, property))


def _origin(value: object) -> str:
    value = value.fget if isinstance(value, property) else getattr(value, "func", value)
    return getattr(value, "__module__", None) or ""


def _page(root: Path, name: str, module: ModuleType, using: Mapping[str, Sequence[str]]) -> str:
    title = f"probml.{name}"
    lines = [title, "=" * len(title), "", f".. automodule:: probml.{name}", "   :no-members:", ""]
    for each in public(module):
        found = getattr(module, each)
        if not callable(found):
            continue
        lines += [each, "-" * len(each), ""]
        if inspect.isclass(found):
            lines += [f".. autoclass:: probml.{name}.{each}", ""]
            for member in members(found):
                kind = "automethod" if callable(getattr(found, member)) else "autoproperty"
                lines += [f"   .. {kind}:: {member}", ""]
        else:
            lines += [f".. autofunction:: probml.{name}.{each}", ""]
        if met := using.get(code_links.address(root, f"probml.{name}", each) or ""):
            titles = (f":doc:`{notes()[note].title} </notes/{note}>`" for note in met if note in notes())
            lines += [".. rst-class:: met-in", "", f"In the notes: {', '.join(titles)}", ""]
    return "\n".join(lines)


def _overview(modules: dict[str, ModuleType]) -> str:
    rows = []
    for name, module in modules.items():
        line = inspect.getdoc(module).splitlines()[0].rstrip(".")
        names = ", ".join(f":py:obj:`{each} <probml.{name}.{each}>`" for each in public(module))
        rows += [f"   * - :doc:`probml.{name} <{name}>`", f"     - {line}", f"     - {names}"]
    lines = [
        "The package probml",
        "==================",
        "",
        "What the notes use can be used by itself: ``pip install .`` installs the library alone. Each name leads to",
        "its signature, its formula and its source.",
        "",
        ".. list-table::",
        "   :header-rows: 1",
        "   :widths: 20 40 40",
        "",
        "   * - package",
        "     - what it is",
        "     - what it has",
        *rows,
        "",
    ]
    return "\n".join(lines)
