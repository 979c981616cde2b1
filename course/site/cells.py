"""What the cells of an executed note are for: set-up, solutions, checks, long code.

Notes that do not say so by tags are recognised by their form.
"""

import ast
import re

from nbformat import NotebookNode

LONGEST = 15  # lines of a cell that is shown open
_NEW_SOLUTION = re.compile(r"####\s+(Solution \d+)\.?\s*\n*")
_OLD_SOLUTION = re.compile(r"\*\*(Solution \d+)\.\*\*\s*")
_ASIDE = re.compile(r"\*\*(.+?)\.\*\*\s+")
_TABLE = re.compile(r"table\(\*(tables\.\w+)\(.*\)(?:, \w+=\w+)*\)", re.DOTALL)
_FIGURE = re.compile(
    r"record\.(?:figure|interactive)\((?:\s*\"[\w-]+\",)?\s*((?:figures|pictures)\.\w+)\(.*\),?\s*\)", re.DOTALL
)
_CONTENTS = re.compile(r"^\| Section \|.*\n(\|.*\n?)+", re.MULTILINE)
_BEFORE_SOLUTION = re.compile(r"\n+(?=(?:####\s+|\*\*)Solution \d+)")
_NAVIGATION = re.compile(r"\s*(---\s*)?\[A map of the course\]\(\S+\)( · (before|next): \[.*?\]\(\S+\))+\s*")


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def in_new_form(cells: list[NotebookNode]) -> bool:
    """Whether the note marks its parts by tags."""
    return any("setup" in tags(cell) for cell in cells)


def solution(cell: NotebookNode) -> tuple[str, str] | None:
    """Title and text of the first cell of a solution, without its heading."""
    if cell.cell_type == "markdown":
        for form in (_NEW_SOLUTION, _OLD_SOLUTION):
            if found := form.match(cell.source):
                return found[1], cell.source[found.end() :]
    return None


def tells_solution(cell: NotebookNode) -> bool:
    """Whether a cell outside of the solutions gives them away: a check of what one of them says."""
    return cell.cell_type == "code" and bool(re.search(r"[\"']Solution \d", cell.source))


def pieces(cell: NotebookNode) -> list[NotebookNode]:
    """A cell for each solution, where one cell of text holds several."""
    if cell.cell_type != "markdown":
        return [cell]
    return [NotebookNode({**cell, "source": text}) for text in _BEFORE_SOLUTION.split(cell.source)]


def ends_solution(cell: NotebookNode) -> bool:
    """Whether a cell that is not marked as part of a solution begins something else."""
    return cell.cell_type == "markdown" and (cell.source.startswith(("#", "---")) or is_navigation(cell))


def is_navigation(cell: NotebookNode) -> bool:
    """The line that leads to the map, to the note before and to the next. The site has its own."""
    return cell.cell_type == "markdown" and bool(_NAVIGATION.fullmatch(cell.source))


def without_contents(text: str) -> str:
    """A text without its table of sections, in place of which the site has its own."""
    return _CONTENTS.sub("\n", text)


def is_setup(cell: NotebookNode, *, new_form: bool) -> bool:
    """Parameters, imports and the record."""
    if cell.cell_type != "code":
        return False
    if {"parameters", "injected-parameters", "setup"} & set(tags(cell)):
        return True
    return not new_form and "= Record()" in cell.source


def repeats(injected: NotebookNode, parameters: NotebookNode) -> bool:
    """Whether the cell that the runner injected says nothing new."""
    return _assignments(injected.source).items() <= _assignments(parameters.source).items()


def is_only_checks(cell: NotebookNode) -> bool:
    """Whether a cell of code holds assertions and nothing else that a reader would look for."""
    if cell.cell_type != "code" or not cell.source.strip():
        return False
    try:
        body = ast.parse(cell.source).body
    except SyntaxError:  # a line of IPython's own
        return False
    return any(isinstance(each, ast.Assert) for node in body for each in ast.walk(node)) and all(map(_checks, body))


def is_long(cell: NotebookNode, *, new_form: bool) -> bool:
    """Whether the code of a cell is folded: by its tag, or, in old notes, by its length."""
    if cell.cell_type != "code":
        return False
    return "long" in tags(cell) or (not new_form and len(cell.source.splitlines()) > LONGEST)


def aside(cell: NotebookNode) -> tuple[str, str] | None:
    """Title and text of a side note: tagged so, it begins with its title in bold and a full stop."""
    if cell.cell_type == "markdown" and "aside" in tags(cell) and (found := _ASIDE.match(cell.source)):
        return found[1], cell.source[found.end() :]
    return None


def call(cell: NotebookNode) -> str | None:
    """The function that makes a figure or table, if a cell shows it and does nothing else: `figures.two_verdicts`."""
    if cell.cell_type != "code":
        return None
    found = _FIGURE.fullmatch(cell.source.strip()) or _TABLE.fullmatch(cell.source.strip())
    return found[1] if found else None


def is_only_claims(cell: NotebookNode) -> bool:
    """Whether a cell sets published numbers beside ours and shows lines of text at most."""
    if cell.cell_type != "code" or "record.claim(" not in cell.source:
        return False
    return all(
        output.output_type == "stream" or set(output.get("data", {})) <= {"text/plain"} for output in cell.outputs
    )


def _checks(node: ast.stmt) -> bool:
    if isinstance(node, ast.If | ast.For | ast.With):
        return all(map(_checks, node.body))
    return isinstance(node, ast.Assert | ast.Assign)


def _assignments(source: str) -> dict[str, str]:
    return {
        ast.unparse(target): ast.unparse(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
