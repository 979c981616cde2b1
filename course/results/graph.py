"""The stages of dvc.yaml: what each runs, reads and writes, and which have to be done before it.

That the file is well-formed and that no stage waits for itself is for DVC to say: see `lockfile.check`.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from course.errors import ResultsError
from course.notebook.text import read_yaml

OUTPUTS = ("outs", "metrics", "plots")
KEYS = {"cmd", "deps", *OUTPUTS, "params", "matrix", "meta", "desc"}  # of all that DVC knows, what is used here


@dataclass(frozen=True)
class Stage:
    """A stage. Paths are relative to the project; parameters are names in params.yaml, with dots for levels."""

    name: str
    command: str
    dependencies: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    meta: object = field(compare=False)


def read_stages(root: Path) -> dict[str, Stage]:
    """The stages by their names, those of a matrix one by one, in the order of dvc.yaml."""
    stages = sections(root / "dvc.yaml")
    return {stage.name: stage for name, section in stages.items() for stage in _written_out(name, section)}


def sections(path: Path) -> dict[str, object]:
    """What stands under `stages`, as it stands there."""
    content = read_yaml(path, ResultsError)
    stages = content.get("stages") if isinstance(content, dict) else None
    if not isinstance(stages, dict):
        raise ResultsError(f"{path} has no section 'stages'. Bring it back with git checkout.")
    return stages


def prerequisites(stages: dict[str, Stage]) -> dict[str, set[str]]:
    """For each stage those that write what it reads: a file, one inside a folder, or a folder of such files."""
    writers = [(output, name) for name, stage in stages.items() for output in stage.outputs]
    return {
        name: {writer for output, writer in writers if any(_overlap(output, path) for path in stage.dependencies)}
        for name, stage in stages.items()
    }


def _overlap(one: str, other: str) -> bool:
    one, other = f"{one}/", f"{other}/"
    return one.startswith(other) or other.startswith(one)


def _written_out(name: str, section: object) -> Iterator[Stage]:
    if not isinstance(section, dict) or not isinstance(section.get("cmd"), str):
        raise _unusable(name, "has no command `cmd` of one text")
    if unknown := sorted(section.keys() - KEYS):
        raise _unusable(name, f"has {unknown[0]!r}")
    matrix = section.get("matrix")
    if matrix is None:
        yield _stage(name, section, {})
        return
    lists = list(matrix.values()) if isinstance(matrix, dict) else [None]
    if not all(isinstance(values, list) and all(isinstance(value, str) for value in values) for values in lists):
        raise _unusable(name, "has a `matrix` that is not made of lists of texts")
    for values in product(*lists):
        items = {f"${{item.{key}}}": value for key, value in zip(matrix, values, strict=True)}
        yield _stage(f"{name}@{'-'.join(values)}", section, items)


def _stage(name: str, section: dict[str, object], items: dict[str, str]) -> Stage:
    """The stage of this section in which the `items` are put in."""

    def filled(text: object) -> str:
        if not isinstance(text, str):
            raise _unusable(name, f"has {text!r} where one text is expected")
        for item, value in items.items():
            text = text.replace(item, value)
        if "${" in text:
            raise _unusable(name, f"has {text!r}, of which only the items of a matrix can be put in")
        return text

    def paths(*kinds: str) -> tuple[str, ...]:
        entries = (entry for kind in kinds for entry in section.get(kind) or [])
        names = (next(iter(entry)) if isinstance(entry, dict) else entry for entry in entries)
        return tuple(posixpath.normpath(filled(path)) for path in names)

    parameters = tuple(map(filled, section.get("params") or []))
    return Stage(name, filled(section["cmd"]), paths("deps"), paths(*OUTPUTS), parameters, section.get("meta"))


def _unusable(name: str, problem: str) -> ResultsError:
    return ResultsError(
        f"dvc.yaml: the stage {name!r} {problem}, with which stages cannot be run side by side. Correct it, or bring "
        "the file back with git checkout: nothing was touched."
    )
