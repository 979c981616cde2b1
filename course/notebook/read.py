"""Read the files that people write, notebooks and YAML, with errors of one line that say what is wrong with which."""

import json
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.validator import iter_validate

from course.errors import NotebookError
from probml.errors import ProbmlError


def read_notebook(path: Path) -> NotebookNode:
    """A notebook from its file."""
    try:
        text = _text(path, NotebookError)
    except FileNotFoundError:
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.ipynb"))) or "none"
        raise NotebookError(f"there is no notebook {path.stem!r} in {path.parent}. Known: {known}") from None
    try:
        return _notebook(text)
    except nbformat.ValidationError as error:
        where = "".join(f"[{key!r}]" for key in error.absolute_path)
        problem = f"{where or 'the whole'}: {_line(error.message)}"
    except RecursionError:
        problem = "it is nested too deeply"
    except ValueError as error:
        problem = _line(str(error))
    raise NotebookError(
        f"{path} is not a valid notebook ({problem}). Save it anew from JupyterLab, or bring it back with git checkout."
    )


def read_yaml(path: Path, error: type[ProbmlError]) -> object:
    """The content of a YAML file. `error` is raised where it cannot be read."""
    try:
        return yaml.safe_load(_text(path, error))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        what = f"{where}{problem.problem}"
    except (yaml.YAMLError, ValueError) as problem:  # a character or a date that YAML does not have
        what = _line(str(problem))
    except RecursionError:
        what = "it is nested too deeply"
    raise error(f"{path} is not valid YAML ({what}). Correct it, or bring it back with git checkout.")


def _text(path: Path, error: type[ProbmlError]) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise error(
            f"{path} is not UTF-8 (byte {problem.start}: {problem.reason}). Save it as UTF-8, or bring it back with "
            "git checkout."
        ) from None


def _notebook(text: str) -> NotebookNode:
    content = json.loads(text)
    if not isinstance(content, dict) or content.get("nbformat") != nbformat.current_nbformat:
        found = f"nbformat {content.get('nbformat')!r}" if isinstance(content, dict) else type(content).__name__
        raise ValueError(f"expected an object with nbformat {nbformat.current_nbformat}, found {found}")
    for error in iter_validate(content):  # before it is read, for which it has to have the form of a notebook
        raise error
    return nbformat.reads(text, as_version=nbformat.current_nbformat)


def _line(message: str, length: int = 200) -> str:
    line = " ".join(message.split())
    return line if len(line) <= length else f"{line[: length - 3]}..."
