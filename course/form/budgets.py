"""Whether a note is in the form that notes have: the order of its parts, and the budgets they keep."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course.bibliography import cite, works
from course.errors import FormError
from course.notebook.read import read_notebook
from course.notebook.text import one_line
from course.outline import MAP, notes
from course.outline.card import expected_lines, read_card
from course.outline.layout import APPENDICES, Cell, cells

MAX_LINES = 150  # of code that readers see, in all
MAX_LINES_OF_CELL = 15
MAX_WIDTH = 88
MAX_LINES_OF_SETUP = 12
MINUTES = 25  # of reading, as orientation: a note that takes much longer is two notes
FORMULA_LINES = range(3, 13)
MAX_SENTENCES = 4  # of the abstract
MIN_EXERCISES = 5
GRADES = ("*Warm-ups*", "*Standard*", "*Opening a door*")
TAGS = {"parameters", "setup", "card", "formula", "long", "aside", "solution"}
BOOKKEEPING = ("claim", "check", "metrics", "table")  # methods of a Record that belong into the last two sections
_LINK = re.compile(r"\]\(\s*<?(https?://[^\s)>]+)|<(https?://[^\s>]+)>")
_REFERENCE = re.compile(r"\]\(\s*(?!https?:|mailto:|#|attachment:)([^\s)#]+)")
_EXERCISE = re.compile(r"^(?:\*\*)?(\d+)\.(?:\*\*)? ", re.MULTILINE)
_SOLUTION = re.compile(r"#### Solution (\d+)\b")


@dataclass(frozen=True)
class Budgets:
    """What was measured of a note."""

    lines: int
    longest_cell: int
    widest_line: int

    def __str__(self) -> str:
        return (
            f"visible lines of code {self.lines} (at most {MAX_LINES}), longest visible cell {self.longest_cell} (at "
            f"most {MAX_LINES_OF_CELL}), widest line {self.widest_line} (at most {MAX_WIDTH})"
        )


def measured(notebook: Mapping) -> Budgets:
    """Lines of visible code without empty ones: of all cells, of the longest that is not folded, and the widest."""
    seen = [cell for cell in cells(notebook) if cell.is_code and cell.is_seen]
    return Budgets(
        lines=sum(len(cell.lines) for cell in seen),
        longest_cell=max((len(cell.lines) for cell in seen if "long" not in cell.tags), default=0),
        widest_line=max((len(line) for cell in seen for line in cell.lines), default=0),
    )


def problems(notebook: NotebookNode, name: str, root: Path) -> list[str]:
    """Everything in which the source of a note is not in the form, with its place. Empty if it is.

    root : folder of the project, for what the note links to, and for the executed note, if there is one
    """
    found = cells(notebook)
    rules = [_opening, _card, _body, _sections, *([] if name == MAP else [_exercises]), _citations]
    said = [problem for rule in rules for problem in rule(notebook, found, name)]
    said += _references(found, root / "results" / name)
    executed = root / "results" / name / "notebook.ipynb"
    return said + (list(_outputs(read_notebook(executed))) if executed.exists() else [])


def _opening(_: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """Title and answer, parameters, set-up, hero figure, card: the first five cells."""
    kinds = ["title and abstract", "the cell tagged 'parameters'", "the cell tagged 'setup'", "the hero figure", "card"]
    if len(found) < len(kinds):
        yield f"a note begins with five cells: {', '.join(kinds)}"
        return
    title, parameters, setup, hero, card = found[: len(kinds)]
    if title.is_code or not title.source.startswith("# "):
        yield "cell 1: expected Markdown with the title and the abstract"
    for cell, tag in ((parameters, "parameters"), (setup, "setup"), (card, "card")):
        if tag not in cell.tags:
            yield f"cell {cell.number}: expected the cell tagged {tag!r}"
        others = [str(each.number) for each in found if tag in each.tags and each is not cell]
        if others:
            yield f"cell {', '.join(others)}: only cell {cell.number} may be tagged {tag!r}"
    if len(setup.lines) > MAX_LINES_OF_SETUP:
        yield f"cell {setup.number}: {len(setup.lines)} lines of set-up, at most {MAX_LINES_OF_SETUP}"
    if not hero.is_code or not re.match(r"record\.(figure|interactive)\(", hero.source):
        yield f"cell {hero.number}: expected the hero figure, record.figure(...) in one line"


def _card(notebook: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """The card says what the outline says, and how long the note takes to read."""
    try:
        card = read_card(notebook, name)
    except FormError as error:
        yield str(error).removeprefix(f"{name}, ").removeprefix(f"{name}: ")
        return
    if card is None or name not in (MAP, *notes()):
        return
    (cell,) = (each for each in found if "card" in each.tags)
    lines = cell.source.rstrip().split("\n")
    for line, expected in zip(lines, expected_lines(notebook, name), strict=True):
        if not expected.startswith("**You will") and line.strip() != expected.strip():
            yield f"cell {cell.number}: the card should say {expected.strip()!r}, it says {line.strip()!r}"
    abstract = re.sub(r"\]\([^)]*\)", "]", card.abstract)  # without the targets of links
    sentences = len(re.findall(r"[.!?][\"”’)*]*(?=\s+[\"“(*\[$]*[A-Z\\]|$)", abstract))
    if sentences > MAX_SENTENCES:
        yield f"cell 1: the abstract has {sentences} sentences, at most {MAX_SENTENCES}"


def _body(notebook: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """Short visible cells that define nothing but formulas, and assert nothing."""
    lines = measured(notebook).lines
    if lines > MAX_LINES:
        yield f"{lines} visible lines of code, at most {MAX_LINES}"
    for cell in found:
        where = f"cell {cell.number}"
        yield from (f"{where}: {tag!r} is no tag; tags are {', '.join(sorted(TAGS))}" for tag in cell.tags - TAGS)
        if not cell.is_code:
            continue
        if cell.is_seen:
            if len(cell.lines) > MAX_LINES_OF_CELL and "long" not in cell.tags:
                yield f"{where}: {len(cell.lines)} lines, at most {MAX_LINES_OF_CELL}; or tag it 'long'"
            for line in cell.lines:
                if len(line) > MAX_WIDTH:
                    yield f"{where}: {len(line)} characters in the line {one_line(line, 60)!r}, at most {MAX_WIDTH}"
        if "formula" in cell.tags and len(cell.lines) not in FORMULA_LINES:
            yield f"{where}: a formula as code has 3 to 12 lines, here are {len(cell.lines)}"
        if not cell.in_appendix:
            yield from (f"{where}: {problem}" for problem in _out_of_place(cell))


def _out_of_place(cell: Cell) -> Iterator[str]:
    """What the code of a cell does that belongs elsewhere."""
    appendices = " or ".join(APPENDICES)
    try:
        tree = ast.parse(cell.source)
    except SyntaxError as error:
        yield f"line {error.lineno}: not valid Python: {error.msg}"
        return
    for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):
        match node:
            case ast.Assert():
                yield f"line {node.lineno}: an assertion belongs into Checks, as record.check(sentence, truth)"
            case ast.Call(func=ast.Attribute(attr=str(method))) if method.startswith("assert_"):
                yield f"line {node.lineno}: {method} belongs into Checks, as record.check(sentence, truth)"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="record"), attr=str(method))) if method in BOOKKEEPING:
                yield f"line {node.lineno}: record.{method} belongs into {appendices}"
            case ast.FunctionDef(name=str(defined)) | ast.ClassDef(name=str(defined)):
                if not cell.tags & {"formula", "solution"}:
                    yield f"line {node.lineno}: {defined} is defined in a cell that is not tagged 'formula'"


def _sections(_: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """Numbered sections, the last of them What we learned; then exercises, further reading and the appendices.

    The map of the course has no lessons and no exercises.
    """
    headings = list(dict.fromkeys(cell.section for cell in found if cell.section))
    numbered = [heading for heading in headings if re.match(r"\d+ ", heading)]
    numbers = [int(heading.split()[0]) for heading in numbered]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"sections are numbered {numbers}, expected 1, 2, …"
    if name != MAP and not (numbered and numbered[-1].endswith(" What we learned")):
        last = numbered[-1] if numbered else "none"
        yield f"the last numbered section should be 'What we learned', it is {last!r}"
    uses_claims = any("record.claim(" in cell.source for cell in found if cell.is_code)
    ends = [*([] if name == MAP else ["Exercises"]), "Further reading", *APPENDICES[0 if uses_claims else 1 :]]
    rest = headings[len(numbered) :]
    if not uses_claims:
        rest = [heading for heading in rest if heading != APPENDICES[0]]
    if headings[: len(numbered)] != numbered or rest != ends:
        yield f"after the numbered sections come {', '.join(ends)}; found {', '.join(rest) or 'nothing'}"
    if not any("record.check(" in cell.source for cell in found if cell.is_code and cell.section == "Checks"):
        yield "the section Checks holds no record.check(sentence, truth)"


def _exercises(_: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """At least five in three grades, each with a solution, all cells of which are tagged."""
    section = [cell for cell in found if cell.section == "Exercises"]
    text = "\n".join(cell.source for cell in section if not cell.is_code and "solution" not in cell.tags)
    exercises = [int(number) for number in _EXERCISE.findall(text)]
    if len(exercises) < MIN_EXERCISES or exercises != list(range(1, len(exercises) + 1)):
        yield f"exercises are numbered {exercises}, expected 1, 2, … and at least {MIN_EXERCISES}"
    if [line.strip() for line in text.splitlines() if line.strip() in GRADES] != list(GRADES):
        yield f"exercises stand under three lines, one after the other: {', '.join(GRADES)}"
    begun = False
    for cell in section:
        begun = begun or (not cell.is_code and bool(_SOLUTION.match(cell.source)))
        if (begun or cell.is_code) and "solution" not in cell.tags:
            yield f"cell {cell.number}: a cell of a solution needs the tag 'solution'"
    tagged = [cell for cell in found if "solution" in cell.tags]
    if tagged and not _SOLUTION.match(tagged[0].source):
        yield f"cell {tagged[0].number}: solutions begin with Markdown: '#### Solution 1'"
    for cell in tagged:
        if cell.section != "Exercises":
            yield f"cell {cell.number}: a solution stands in the section Exercises"
    solved = [int(number) for cell in tagged for number in _SOLUTION.findall(cell.source)]
    if solved != exercises:
        yield f"solutions are numbered {solved}, exercises {exercises}"


def _citations(_: Mapping, found: list[Cell], name: str) -> Iterator[str]:
    """Citations are links to works of the bibliography, and there are no others to the outside."""
    known = {work.link for work in works().values()}
    cited = set()
    for cell in found:
        if cell.is_code:
            continue
        written, wrong = cite(cell.source, works())
        yield from (f"cell {cell.number}: {problem}" for problem in wrong)
        if written != cell.source and not wrong:
            yield f"cell {cell.number}: citations are not written out: run python -m course cite"
        links = {one or other for one, other in _LINK.findall(written)}
        yield from (f"cell {cell.number}: {link} is no work of the bibliography" for link in sorted(links - known))
        if cell.section == "Further reading":
            cited |= links & known
    if not 3 <= len(cited) <= 8:
        yield f"Further reading cites {len(cited)} works, expected 3 to 8"


def _references(found: list[Cell], place: Path) -> Iterator[str]:
    """Links to other notes and into the code lead to what is there, from the folder of results of this note."""
    for cell in found:
        for target in _REFERENCE.findall("" if cell.is_code else cell.source):
            path = place / target
            is_note = (place.parent.parent / "notebooks" / f"{path.parent.name}.ipynb").exists()
            if not path.exists() and not (path.name == "notebook.ipynb" and is_note):
                yield f"cell {cell.number}: the link to {target} leads nowhere"


def _outputs(executed: NotebookNode) -> Iterator[str]:
    """What the executed note shows: one cell of parameters, and pictures with alternative texts."""
    for number, cell in enumerate(executed.cells, start=1):
        if "injected-parameters" in cell.metadata.get("tags", []):
            yield "the executed note has a second cell of parameters: run it anew"
        for output in cell.get("outputs", []):
            for kind in output.get("data", {}):
                alt = output.get("metadata", {}).get(kind, {}).get("alt", "")
                if kind.startswith("image/") and not alt.strip():
                    yield f"cell {number} as executed: a figure without alternative text; show it by record.figure"
