"""Read notebooks, with errors of one line that say what is wrong with which."""

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.validator import iter_validate

from course.errors import NotebookError
from course.notebook.text import one_line, read_text


def read_notebook(path: Path) -> NotebookNode:
    """A notebook from its file."""
    try:
        text = read_text(path, NotebookError)
    except FileNotFoundError:
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.ipynb"))) or "none"
        raise NotebookError(f"there is no notebook {path.stem!r} in {path.parent}. Known: {known}") from None
    try:
        return _notebook(text)
    except nbformat.ValidationError as error:
        where = "".join(f"[{key!r}]" for key in error.absolute_path)
        problem = f"{where or 'the whole'}: {one_line(error.message)}"
    except RecursionError:
        problem = "it is nested too deeply"
    except ValueError as error:
        problem = one_line(str(error))
    raise NotebookError(
        f"{path} is not a valid notebook ({problem}). Save it anew from JupyterLab, or bring it back with git checkout."
    )


def _notebook(text: str) -> NotebookNode:
    content = json.loads(text)
    if not isinstance(content, dict) or content.get("nbformat") != nbformat.current_nbformat:
        found = f"nbformat {content.get('nbformat')!r}" if isinstance(content, dict) else type(content).__name__
        raise ValueError(f"expected an object with nbformat {nbformat.current_nbformat}, found {found}")
    for error in iter_validate(content):  # before it is read, for which it has to have the form of a notebook
        raise error
    return nbformat.reads(text, as_version=nbformat.current_nbformat)
