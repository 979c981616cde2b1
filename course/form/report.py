"""What of a note is not in the form yet, for its author."""

from pathlib import Path

from course.errors import FormError
from course.form.budgets import MINUTES, measured, problems
from course.notebook.read import read_notebook
from course.outline import notes
from course.outline.card import expected_lines
from course.outline.layout import cells
from course.outline.reading import minutes


def report(name: str, root: Path) -> None:
    """Print the budgets of a note, what its card should say, and each point that is not as it should be."""
    notebook = read_notebook(root / "notebooks" / f"{name}.ipynb")
    print(f"{name}: {measured(notebook)}, reading time {minutes(cells(notebook))} minutes (about {MINUTES})")
    if name in notes():
        print("\nThe card:\n" + "\n".join(expected_lines(notebook, name)) + "\n")
    said = problems(notebook, name, root)
    print("\n".join(said))
    if said:
        raise FormError(f"{name} is not in the form of a note: {len(said)} point(s) above")
