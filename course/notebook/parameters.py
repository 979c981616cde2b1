"""The parameters of a notebook: what its cell tagged `parameters` declares and what params.yaml gives."""

import ast
from pathlib import Path

from nbformat import NotebookNode

from course.errors import NotebookError
from course.notebook.text import read_yaml
from probml.errors import ParameterError


def position(notebook: NotebookNode, name: str) -> int:
    """Index of the one cell tagged `parameters`."""
    tagged = [i for i, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) != 1:
        raise NotebookError(f"{name}: expected one cell tagged 'parameters', found {len(tagged)}")
    return tagged[0]


def declared(notebook: NotebookNode, name: str) -> dict[str, object]:
    """Names and default values in the cell tagged `parameters`: assignments of literals, nothing else."""
    source = notebook.cells[position(notebook, name)].source
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError) as error:  # ValueError: a null character
        raise NotebookError(f"{name}: the cell 'parameters' is not valid Python: {error}") from None
    defaults = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=parameter)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=parameter), value=ast.expr() as value):
                pass
            case _:
                line = ast.get_source_segment(source, statement)
                raise NotebookError(f"{name}: the cell 'parameters' may only assign literals to names, found: {line}")
        try:
            defaults[parameter] = ast.literal_eval(value)
        except (ValueError, TypeError):  # TypeError: a dictionary whose keys are lists
            raise NotebookError(f"{name}: the default of parameter {parameter!r} is not a literal") from None
    return defaults


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
