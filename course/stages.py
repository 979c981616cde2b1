"""dvc.yaml, written from what there is: a stage for each note, with the code it imports and the data it names."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import indent

import nbformat
import yaml

from course.datasets import names
from course.outline import Note, notes

HEADER = """\
# Written by `python -m course stages` from the notebooks, from what they import, and from course/outline/notes.toml.
# Results are small and committed, so they stay out of DVC's cache (cache: false), and a stage that fails leaves the
# earlier ones in place (persist: true). `meta` is for `make reproduce`, which runs stages side by side.

"""
PACKAGES = ("probml", "course")
# The version, and the dispatch to commands: no result depends on what is written there.
NO_INFLUENCE = {"probml/__init__.py", "course/__init__.py", "course/__main__.py"}


def dvc_yaml(root: Path) -> str:
    """The text of dvc.yaml for the project in the folder `root`."""
    outline, sources = notes(), sorted((root / "notebooks").glob("*.ipynb"))
    of_notes = {path.stem: _note_stage(root, path, outline.get(path.stem)) for path in sources}
    claims = [f"results/{path.stem}/claims.json" for path in sources if "record.claim(" in code_of(path)]
    headlines = {name: note for name, note in outline.items() if note.headline}
    stages = {
        "data": _data_stage(root),
        **of_notes,
        "equations": _stage(
            "every displayed formula of the lectures, checked",
            "python -m course equations",
            code_used_by(root, "course.equations.page"),
            ["results/EQUATIONS.md", "results/equations.json"],
        ),
        "ledger": _stage(
            "every published number beside ours",
            "python -m course ledger",
            [*code_used_by(root, "course.results.ledger"), *claims],
            ["results/LEDGER.md", "results/ledger.json"],
        ),
        "headlines": _stage(
            "one number a note, for `dvc metrics`",
            "python -m course headlines",
            [
                *code_used_by(root, "course.results.headlines"),
                *(f"results/{name}/{note.headline.file}.json" for name, note in headlines.items()),
            ],
            [],
        )
        | {"metrics": [{f"results/headlines/{name}.json": _kept()} for name in headlines]},
    }
    plots = [each for name, note in outline.items() for each in _plots(name, note)]
    of_stages = "\n".join(indent(_text({name: stage}), "  ") for name, stage in stages.items())
    return f"{HEADER}stages:\n{of_stages}\n{_text({'plots': plots})}"


def code_used_by(root: Path, *modules: str) -> list[str]:
    """Files and folders of the project that importing `modules` executes: packages of a package as a whole."""
    return sorted({_room(file.relative_to(root)) for file in closure(root, *modules)} - NO_INFLUENCE)


def closure(root: Path, *modules: str) -> set[Path]:
    """Files of the project that importing `modules` executes, the packages around them included."""
    found: set[Path] = set()
    waiting = [*modules]
    while waiting:
        module = waiting.pop()
        for part in (module.rsplit(".", n)[0] for n in range(module.count(".") + 1)):
            file = _file_of(root, part)
            if file and file not in found:
                found.add(file)
                waiting += imported(file.read_text(encoding="utf-8"))
    return found


def imported(source: str) -> Iterator[str]:
    """Names of the modules, and of what may be modules, that Python code imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def code_of(path: Path) -> str:
    """All code of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def data_named_in(code: str) -> list[str]:
    """The data sets with a receipt that code names, or all of them if it asks for their names."""
    receipts = names(on_demand=False)
    if "names(on_demand=False)" in code:
        return receipts
    return [name for name in receipts if re.search(rf"""["']{name}["']""", code)]


def _note_stage(root: Path, path: Path, note: Note | None) -> dict[str, object]:
    code, name = code_of(path), path.stem
    modules = [*imported(code), "course.notebook.run"]
    if "record.interactive(" in code:  # which looks for the scripts when it is called
        modules.append("course.interactive")
    deps = [f"notebooks/{path.name}", *code_used_by(root, *modules)]
    deps += ["requirements.lock", *(f"results/data/{data}.json" for data in data_named_in(code))]
    stage = _stage(note.question if note else "", f"python -m course run {name}", deps, [f"results/{name}"], note)
    return {**stage, "params": [name]}


def _data_stage(root: Path) -> dict[str, object]:
    stage = _stage(
        "fetch and verify a data set; the receipt changes when the data do",
        "python -m course data ${item.name} --receipt results/data/${item.name}.json",
        [*code_used_by(root, "course.data.fetch"), "requirements.lock"],
        ["results/data/${item.name}.json"],
    )
    return {"matrix": {"name": names(on_demand=False)}, **stage, "meta": _Options(waits_for="network")}


def _stage(text: str, command: str, deps: list[str], outs: list[str], note: Note | None = None) -> dict[str, object]:
    stage: dict[str, object] = {"desc": text, "cmd": command, "deps": deps, "outs": [{out: _kept()} for out in outs]}
    if note and note.seconds:
        stage["meta"] = _Options(seconds=note.seconds)
    return {key: value for key, value in stage.items() if value}


def _kept() -> "_Options":
    return _Options(cache=False, persist=True)


def _plots(name: str, note: Note) -> Iterator[object]:
    """Curves that DVC draws itself, and figures."""
    for curve in note.curves:
        y = {f"results/{name}/{curve.file}.csv": list(curve.y)}
        yield {curve.title: {"x": curve.x, "y": y, "y_label": curve.label}}
    yield from (f"results/{name}/{figure}.png" for figure in note.plots)


@cache
def _file_of(root: Path, module: str) -> Path | None:
    path = root.joinpath(*module.split("."))
    if module.split(".")[0] not in PACKAGES:
        return None
    if path.is_dir():
        return path / "__init__.py"
    return path.with_suffix(".py") if path.with_suffix(".py").is_file() else None


def _room(file: Path) -> str:
    """The package that a file belongs to, as a dependency: course/studies has one for each note."""
    depth = 3 if file.parts[:2] == ("course", "studies") else 2
    return "/".join(file.parts[:depth])


class _Options(dict):
    """A mapping that is written on one line."""


class _Dumper(yaml.SafeDumper):
    """Lists indented below their key, and no anchors."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:
        return True


_Dumper.add_representer(
    _Options, lambda dumper, options: dumper.represent_mapping("tag:yaml.org,2002:map", options, flow_style=True)
)


def _text(content: object) -> str:
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
