"""The form of a note: its card, the time it takes to read, and the budgets that it keeps."""

import tomllib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.__main__ import main
from course.bibliography import works
from course.errors import FormError
from course.form.budgets import MAX_WIDTH, measured, problems
from course.notebook import normal, parameters
from course.outline import MAP, notes
from course.outline.card import NOTHING, card_of, read_card
from course.outline.layout import cells
from course.outline.reading import (
    SECONDS_PER_CELL,
    SECONDS_PER_DISPLAY,
    WORDS_PER_FORMULA,
    WORDS_PER_MINUTE,
    minutes,
)

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
RUFF = tomllib.loads((ROOT / "notebooks" / "ruff.toml").read_text(encoding="utf-8"))


# --- the notes ---


def source(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_note_is_in_the_form(name):
    assert problems(source(name), name, ROOT) == [], f"see: python -m course form {name}"


def test_lines_are_formatted_to_the_width_that_is_measured():
    assert RUFF["line-length"] == MAX_WIDTH == parameters.WIDTH


def test_the_code_of_every_note_is_laid_out():
    assert "format" not in RUFF
    assert "exclude" not in RUFF


def test_the_map_needs_no_lessons_and_no_exercises_and_keeps_all_else():
    notebook = source(MAP)
    said = " ".join(problems(notebook, NAME, ROOT))
    assert "What we learned" in said
    assert "exercises are numbered" in said
    notebook.cells[4].source = notebook.cells[4].source.replace("**Level** core", "**Level** further")
    assert problems(notebook, MAP, ROOT) == [
        "cell 5: the card should say '**Level** core', it says '**Level** further'"
    ]


@pytest.mark.parametrize("name", list(notes()))
def test_a_card_says_what_the_outline_says(name):
    note, card = notes()[name], card_of(name, ROOT / "notebooks")
    assert (card.needs, card.level, card.minutes) == (note.needs, note.level, note.minutes), (
        "correct course/outline/notes.toml"
    )


# --- a note made for the tests ---

NAME = next(name for name, note in notes().items() if len(note.needs) == 1 and note.level == "core")
(NEEDED,) = notes()[NAME].needs
NEED = f"[{notes()[NEEDED].title}](../{NEEDED}/notebook.ipynb)"


def code(text, *tags):
    return new_code_cell(text, metadata={"tags": list(tags)} if tags else {})


def prose(text, *tags):
    return new_markdown_cell(text, metadata={"tags": list(tags)} if tags else {})


def card(needs=NEED, aims="classify; say why", time="1 minute", level="core"):
    lines = [f"**You need** {needs}  ", f"**You will be able to** {aims}  ", f"**Reading time** {time}  "]
    return prose("\n".join([*lines, f"**Level** {level}"]), "card")


EXERCISES = "## Exercises\n\n*Warm-ups*\n\n1. A\n2. B\n\n*Standard*\n\n3. C\n4. D\n\n*Opening a door*\n\n5. E"
READING = "## Further reading\n\n" + "\n".join(works()[key].citation for key in ("ng2002", "cox1958", "maron1961"))


def model(**changes):
    """A note in the form, with some of its cells replaced: by name, with a cell, a list of cells, or None."""
    parts = {
        "title": prose("# Naive Bayes\n\nWhat is asked? This is done. It gives .5\nand 1.2. It matters."),
        "parameters": code("seed = 0  # of the draws", "parameters"),
        "setup": code("from course.notebook import Record\n\nrecord = Record()", "setup"),
        "hero": code("record.figure(figures.hero())"),
        "card": card(),
        "story": prose("## 1 The story\n\nOnce upon a time, see [the code](../../probml/naive_bayes/multinomial.py)."),
        "formula": code("def joint(x):\n    y = x\n    return y", "formula"),
        "same": code("joint(1)"),
        "learned": prose("## 2 What we learned\n\nMuch."),
        "exercises": prose(EXERCISES),
        "solutions": [prose(f"#### Solution {k}\n\nSo.", "solution") for k in range(1, 6)],
        "solution_code": code("def answer():\n    return 42\n\n\nanswer()", "solution"),
        "reading": prose(READING),
        "numbers": [prose("## Published numbers"), code("record.claim('a')\nrecord.metrics('b', {})")],
        "checks": [prose("## Checks"), code("record.check('True.', True)\nassert True")],
        "way": prose("[A map of the course](../00-course-map/notebook.ipynb)"),
    }
    chosen = [changes.get(key, part) for key, part in parts.items()]
    return new_notebook(
        cells=[cell for part in chosen if part for cell in (part if isinstance(part, list) else [part])]
    )


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with the note `NAME` in the form, not executed, and what it links to."""
    for file in ("probml/naive_bayes/multinomial.py", "dvc.yaml", f"results/{NAME}/claims.json"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "notebooks").mkdir()
    for other in ("00-course-map", NEEDED):
        (tmp_path / "notebooks" / f"{other}.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"title": prose("# T\n\nOne. Two! Three? Four. Five.")}, "cell 1: the abstract has 5 sentences, at most 4"),
        ({"title": prose("# T\n\nOne.\n\nTwo.")}, "cell 1: expected '# Title', an empty line and one paragraph"),
        ({"title": prose("No title")}, "cell 1: expected Markdown with the title"),
        ({"parameters": code("seed = 0")}, "cell 2: expected the cell tagged 'parameters'"),
        ({"same": code("seed = 1", "parameters")}, "cell 8: only cell 2 may be tagged 'parameters'"),
        ({"setup": code("\n".join("abcdefghijklm"), "setup")}, "cell 3: 13 lines of set-up, at most 12"),
        ({"hero": code("draw()")}, "cell 4: expected the hero figure"),
        ({"card": prose("A card")}, "cell 5: expected the cell tagged 'card'"),
        ({"same": card()}, "a note has one cell tagged 'card', here are cells 5 and 8"),
        ({"card": card(time="15 minutes")}, "cell 5: the card should say '**Reading time** 1 minute', it says"),
        ({"card": card(level="further")}, "cell 5: the card should say '**Level** core', it says '**Level** further'"),
        ({"card": card(needs=NOTHING)}, f"cell 5: the card should say {f'**You need** {NEED}'!r}, it says"),
        ({"card": card(level="hard")}, "cell 5: expected a line of the card that begins **Level**, found '**Level** h"),
        ({"card": prose("**You need** x", "card")}, "cell 5: the card is Markdown of four lines: **You need**, **You"),
        ({"same": code("\n\n".join("x" for _ in range(16)))}, "cell 8: 16 lines, at most 15; or tag it 'long'"),
        ({"same": code("x = " + "1" * 85)}, "cell 8: 89 characters in the line 'x = 1111111"),
        ({"same": code("assert x")}, "cell 8: line 1: an assertion belongs into Checks"),
        ({"same": code("if x:\n    np.testing.assert_allclose(x, y)")}, "cell 8: line 2: assert_allclose belongs into"),
        ({"same": code("record.claim('b')")}, "cell 8: line 1: record.claim belongs into Published numbers or Checks"),
        ({"solution_code": code("record.check('a', 1)", "solution")}, "cell 16: line 1: record.check belongs into"),
        ({"same": code("def f(): ...")}, "cell 8: line 1: f is defined in a cell that is not tagged 'formula'"),
        ({"same": code("x =")}, "cell 8: line 1: not valid Python"),
        (
            {"same": code("x", "solutions")},
            "cell 8: 'solutions' is no tag; tags are aside, card, formula, long, parameters",
        ),
        ({"formula": code("x\ny", "formula")}, "cell 7: a formula as code has 3 to 12 lines, here are 2"),
        ({"formula": code("x\n" * 13, "formula")}, "cell 7: a formula as code has 3 to 12 lines, here are 13"),
        ({"learned": prose("## 3 What we learned")}, "sections are numbered [1, 3], expected 1, 2"),
        ({"learned": None}, "the last numbered section should be 'What we learned', it is '1 The story'"),
        ({"reading": None}, "after the numbered sections come Exercises, Further reading, Published numbers, Checks;"),
        ({"way": prose("## Epilogue")}, "found Exercises, Further reading, Published numbers, Checks, Epilogue"),
        ({"checks": prose("## Checks")}, "the section Checks holds no record.check"),
        ({"exercises": prose("## Exercises")}, "exercises are numbered [], expected 1, 2, … and at least 5"),
        ({"exercises": prose(EXERCISES.replace("5.", "6."))}, "exercises are numbered [1, 2, 3, 4, 6]"),
        ({"exercises": prose(EXERCISES.replace("*Standard*", ""))}, "exercises stand under three lines"),
        ({"solution_code": code("answer()")}, "cell 16: a cell of a solution needs the tag 'solution'"),
        ({"solutions": None}, "cell 11: solutions begin with Markdown: '#### Solution 1'"),
        (
            {"solutions": [prose("#### Solution 1", "solution")]},
            "solutions are numbered [1], exercises [1, 2, 3, 4, 5]",
        ),
        ({"same": prose("#### Solution 9", "solution")}, "cell 8: a solution stands in the section Exercises"),
        ({"story": prose("## 1 The story\n\n[@ng2003]")}, "cell 6: 'ng2003' is no key of the bibliography"),
        (
            {"story": prose("## 1 The story\n\n[@ng2002]")},
            "cell 6: citations are not written out: run python -m course",
        ),
        (
            {"story": prose("## 1 S\n\n[a](https://a.example)")},
            "cell 6: https://a.example is no work of the bibliograph",
        ),
        ({"story": prose("## 1 S\n\n<https://a.example>")}, "cell 6: https://a.example is no work of the bibliography"),
        ({"reading": prose("## Further reading")}, "Further reading cites 0 works, expected 3 to 8"),
        (
            {"way": prose("[x](../99-nothing/notebook.ipynb)")},
            "cell 22: the link to ../99-nothing/notebook.ipynb leads",
        ),
        ({"way": prose("[x](../../probml/nothing.py)")}, "cell 22: the link to ../../probml/nothing.py leads nowhere"),
    ],
)
def test_what_is_not_in_the_form_is_named_with_its_place(project, changes, problem):
    found = problems(model(**changes), NAME, project)
    assert any(problem in each for each in found), found


def test_nothing_is_wrong_with(project):
    assert problems(model(), NAME, project) == []
    assert problems(model(numbers=None), NAME, project) == []
    assert problems(model(same=code("x\n" * 20, "long")), NAME, project) == []


def test_too_many_lines(project):
    many = [code("x\n" * 15) for _ in range(11)]
    found = problems(model(same=many, card=card(time="5 minutes")), NAME, project)
    assert found == ["169 visible lines of code, at most 150"]
    assert measured(model(same=many)).lines == 169  # with the hero figure and the formula, without solutions


def test_figures_of_the_executed_note_need_alternative_texts(project):
    executed = model()
    executed.cells[3].outputs = [
        new_output("display_data", {"image/png": "", "text/plain": ""}, metadata={"image/png": {"alt": "Two lines"}}),
        new_output("display_data", {"image/png": ""}, metadata={"image/png": {"width": 3}}),
    ]
    executed.cells[2].metadata.tags = ["injected-parameters"]
    nbformat.write(executed, project / "results" / NAME / "notebook.ipynb")
    assert problems(model(), NAME, project) == [
        "the executed note has a second cell of parameters: run it anew",
        "cell 4 as executed: a figure without alternative text; show it by record.figure",
    ]


# --- the card ---


def test_the_card_of_a_note():
    found = read_card(model(), NAME)
    assert found.abstract == "What is asked? This is done. It gives .5 and 1.2. It matters."
    assert found.needs == (NEEDED,)
    assert found.aims == ("classify", "say why")
    assert (found.minutes, found.level) == (1, "core")
    assert read_card(model(card=card(needs=NOTHING)), NAME).needs == ()
    assert read_card(model(card=None), NAME) is None


def test_lines_of_the_card_are_lines_of_the_page():
    joined = prose(card().source.replace("  \n", "\n"), "card")
    with pytest.raises(FormError, match=rf"^{NAME}, cell 5: the line \*\*You need\*\* needs two spaces at its end"):
        read_card(model(card=joined), NAME)


# --- reading time ---


def test_reading_time():
    assert minutes([]) == 1
    words = new_notebook(cells=[prose("word " * WORDS_PER_MINUTE * 7)])
    assert minutes(cells(words)) == 7
    assert minutes(cells(new_notebook(cells=[prose("$$x$$\n\n" * 20), code("x")]))) == round(
        (20 * SECONDS_PER_DISPLAY + SECONDS_PER_CELL) / 60
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one, two; three's 3.5 well-known", 5),
        ("$x + y$ is a *formula*", WORDS_PER_FORMULA + 3),
        ("[the note](../a-long/address/notebook.ipynb)", 2),
        ("| a | b |\n|:---|---:|\n| 1 | 2 |", 4),
        ("## 3 A heading", 3),
        ("before\n\n$$\n\\frac{a}{b} word\n$$\n\nafter", 2 + SECONDS_PER_DISPLAY * WORDS_PER_MINUTE / 60),
    ],
)
def test_words(text, words):
    many = new_notebook(cells=[prose(text) for _ in range(WORDS_PER_MINUTE)])
    assert minutes(cells(many)) == words


@pytest.mark.parametrize("tag", ["solution", "setup", "parameters", "card"])
def test_what_is_folded_takes_no_time(tag):
    assert minutes(cells(new_notebook(cells=[prose("word " * 4000, tag), code("x", tag)]))) == 1
    assert (
        minutes(cells(new_notebook(cells=[prose("## Checks\n\n" + "word " * 4000), *(code("x") for _ in range(99))])))
        == 1
    )


# --- the command ---


def test_the_command_says_what_is_missing(project, capsys):
    file = project / "notebooks" / f"{NAME}.ipynb"
    file.write_text(normal.source(model(same=code("assert x"))), encoding="utf-8")
    assert main(["form", NAME]) == 1
    said = capsys.readouterr()
    assert "visible lines of code 5 (at most 150), longest visible cell 3 (at most 15), widest line 29" in said.out
    assert f"**You need** {NEED}  \n**You will be able to** …  \n**Reading time** 1 minute  \n" in said.out
    assert "cell 8: line 1: an assertion belongs into Checks" in said.out
    assert said.err == f"error: {NAME} is not in the form of a note: 1 point(s) above\n"
    file.write_text(normal.source(model()), encoding="utf-8")
    assert main(["form", NAME]) == 0
