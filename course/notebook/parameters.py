"""The parameters of a notebook: what its cell tagged `parameters` declares and what params.yaml gives."""

import ast
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course.errors import NotebookError
from course.notebook.text import read_yaml
from probml.errors import ParameterError

WIDTH = 88  # of a line of code that readers see


Declaration = tuple[str, ast.expr]  # the name of a parameter, and the literal it is given


def position(notebook: NotebookNode, name: str) -> int:
    """Index of the one cell tagged `parameters`."""
    tagged = [i for i, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) != 1:
        raise NotebookError(f"{name}: expected one cell tagged 'parameters', found {len(tagged)}")
    return tagged[0]


def declared(notebook: NotebookNode, name: str) -> dict[str, object]:
    """Names and default values in the cell tagged `parameters`: assignments of literals, nothing else."""
    defaults = {}
    for parameter, value in _declarations(notebook.cells[position(notebook, name)].source, name):
        try:
            defaults[parameter] = ast.literal_eval(value)
        except (ValueError, TypeError):  # TypeError: a dictionary whose keys are lists
            raise NotebookError(f"{name}: the default of parameter {parameter!r} is not a literal") from None
    return defaults


def _declarations(source: str, name: str) -> list[Declaration]:
    """The assignments of the cell `parameters`, in their order."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError) as error:  # ValueError: a null character
        raise NotebookError(f"{name}: the cell 'parameters' is not valid Python: {error}") from None
    found = []
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=parameter)], value=value):
                found.append((parameter, value))
            case ast.AnnAssign(target=ast.Name(id=parameter), value=ast.expr() as value):
                found.append((parameter, value))
            case _:
                line = ast.get_source_segment(source, statement)
                raise NotebookError(f"{name}: the cell 'parameters' may only assign literals to names, found: {line}")
    return found


def as_run(notebook: NotebookNode, name: str, values: dict[str, object]) -> NotebookNode:
    """A notebook that papermill has executed, with one cell of parameters: the declared one, with the values as run.

    papermill has put a second one behind it, which assigns the values and is left out here. The counts of the cells
    that were executed after it are those of a run without it.
    """
    notebook.cells = [cell for cell in notebook.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
    cell = notebook.cells[position(notebook, name)]
    cell.source = with_values(cell.source, values, name)
    executed = [cell for cell in notebook.cells if cell.get("execution_count")]
    for count, cell in enumerate(executed, start=1):
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return notebook


def with_values(source: str, values: dict[str, object], name: str) -> str:
    """The code of a cell of parameters, with these values in place of the literals; all else is kept as it is.

    A literal that has the value already is kept as it is written. A list that would make a line too wide is laid out
    over several; one that is laid out so already keeps its layout, with the comments in it, if it has as many items.
    """
    code = source.encode()  # positions in syntax trees count bytes
    lines = code.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    changes = [
        change
        for parameter, literal in _declarations(source, name)
        if parameter in values
        for change in _changes(literal, values[parameter])
    ]
    for literal, value in reversed(changes):
        start = starts[literal.lineno - 1] + literal.col_offset
        end = starts[literal.end_lineno - 1] + literal.end_col_offset
        before = code[:start].rpartition(b"\n")[2].decode()
        after = code[end:].partition(b"\n")[0].decode()
        written = _literal(value)
        if isinstance(value, list) and len(before + written + after) > WIDTH:
            written = _laid_out(value)
        code = code[:start] + written.encode() + code[end:]
    return code.decode()


def _changes(literal: ast.expr, value: object) -> Iterator[tuple[ast.expr, object]]:
    """The literals that have to be replaced, in their order, and the values to put there."""
    if _identical(value, ast.literal_eval(literal)):
        return
    items = literal.elts if isinstance(literal, ast.List) and isinstance(value, list) else []
    if literal.lineno < literal.end_lineno and items and len(items) == len(value):
        for item, new in zip(items, value, strict=True):
            yield from _changes(item, new)
    else:
        yield literal, value


def _identical(value: object, default: object) -> bool:
    """Whether two literals are of one type and equal, item by item."""
    if type(value) is not type(default):
        return False
    if isinstance(value, list | tuple):
        return len(value) == len(default) and all(map(_identical, value, default))
    if isinstance(value, dict):
        return list(value) == list(default) and all(_identical(value[key], default[key]) for key in value)
    return value == default


def _literal(value: object) -> str:
    """The code of a value, as it reads best: text in double quotes, 1e-5 and not 1e-05."""
    match value:
        case list() | tuple():
            return f"[{', '.join(map(_literal, value))}]"
        case dict():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
        case float() if math.isfinite(value):
            return re.sub(r"e([+-])0*", lambda sign: "e" + sign[1].strip("+"), repr(value))
        case float():
            return f'float("{value}")'
        case bool() | int() | None:
            return repr(value)
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def _laid_out(items: list) -> str:
    """The code of a list over several lines, as many items on each as fit."""
    lines = [""]
    for item in map(_literal, items):
        if lines[-1] and len(lines[-1]) + len(item) + 6 > WIDTH:  # four spaces before, one between, a comma behind
            lines.append("")
        lines[-1] += f"{' ' * bool(lines[-1])}{item},"
    return "\n".join(["[", *(f"    {line}" for line in lines), "]"])


def given(file: Path, name: str) -> dict[str, object]:
    """The section of params.yaml for the notebook `name`."""
    try:
        sections = read_yaml(file, ParameterError)
    except FileNotFoundError:
        raise ParameterError(f"{file} is missing: it holds the parameters of the notebooks") from None
    if not isinstance(sections, dict) or not isinstance(sections.get(name), dict):
        raise ParameterError(f"{file} has no section {name!r} with the parameters of that notebook")
    return sections[name]


def check(name: str, defaults: dict[str, object], values: dict[str, object]) -> None:
    """Refuse undeclared parameters, declared ones without a value, and values of another type."""
    problems = [f"{unknown!r} is not declared by the notebook" for unknown in sorted(values.keys() - defaults.keys())]
    problems += [f"{missing!r} is declared but has no value" for missing in sorted(defaults.keys() - values.keys())]
    problems += [
        f"{parameter!r} is {_kind(value)} ({value!r}), the notebook declares {_kind(default)}"
        for parameter, default in defaults.items()
        if parameter in values and not _same_kind(value := values[parameter], default)
    ]
    if problems:
        raise ParameterError(
            f"params.yaml, section {name!r}: {'; '.join(problems)}. "
            f"Declared: {', '.join(sorted(defaults)) or 'nothing'}. "
            "Correct params.yaml or the notebook's cell 'parameters'."
        )


def _kind(value: object) -> str:
    """Name of the type; of a list, with the types of its items. YAML reads 1e-1 as text: it wants 1.0e-1."""
    if isinstance(value, list | tuple):
        return f"list of {' and '.join(sorted({type(item).__name__ for item in value})) or 'nothing'}"
    return type(value).__name__


def _same_kind(value: object, default: object) -> bool:
    if isinstance(default, float):
        return isinstance(value, float | int) and not isinstance(value, bool)
    if isinstance(default, list | tuple):
        return isinstance(value, list) and all(_same_kind(item, default[0]) for item in value if default)
    return type(value) is type(default)
