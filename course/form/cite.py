"""Citations in the sources of notes, as links."""

from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode

from course.bibliography import cite, works
from course.errors import CitationError
from course.files import write_texts
from course.notebook import normal
from course.notebook.read import read_notebook


def cite_in(files: Iterable[Path]) -> list[Path]:
    """Expand the citations of notebooks in place; the files that have changed. With an error, none has."""
    texts, problems = {}, []
    for file in files:
        notebook = read_notebook(file)
        before = normal.source(notebook)
        problems += with_citations(notebook, file.stem)
        if (after := normal.source(notebook)) != before:
            texts[file] = after
    if problems:
        raise CitationError("\n".join(problems))
    write_texts(texts)
    return list(texts)


def with_citations(notebook: NotebookNode, name: str) -> list[str]:
    """Expand the citations in the Markdown of a notebook; what is wrong with those that cannot be, and where."""
    problems = []
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "markdown":
            cell.source, wrong = cite(cell.source, works())
            problems += [f"{name}, cell {number}: {problem}" for problem in wrong]
    return problems
