"""The course: every topic has its sections, every formula its topic, and what a note cites is there."""

import re
from pathlib import Path

import nbformat
import pytest

from course.equations import equations
from course.equations.entry import ORIGINS
from course.equations.page import summary
from course.equations.sections import SECTIONS
from course.outline import notes, topics

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
LEDGER = {equation.id: equation for equation in equations()}
GROUPS = {"F": 5, "P": 4, "N": 9, "G": 6, "R": 3, "L": 5, "X": 4, "V": 6, "D": 1}


def text_of(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_all_topics_are_there():
    assert list(topics()) == [f"{group}{number}" for group, count in GROUPS.items() for number in range(1, count + 1)]
    assert len(topics()) == 43


@pytest.mark.parametrize("topic", topics().values(), ids=lambda topic: topic.id)
def test_topic_has_sections(topic):
    assert topic.sections
    for section in topic.sections:
        assert re.search(rf"^## {section.number} \S", text_of(section.note), re.MULTILINE), str(section)


def test_notes_of_the_map_are_the_notebooks():
    assert ["00-course-map", *notes()] == NOTEBOOKS
    assert {other for note in notes().values() for other in note.needs} <= set(notes())


@pytest.mark.parametrize("name", notes())
def test_title_in_the_map_begins_as_the_note_does(name):
    heading = re.search(r"^# (.+)$", text_of(name), re.MULTILINE)[1]
    assert heading.split()[0].strip(":,") == notes()[name].title.split()[0].strip(":,")


def linked(text, name):
    return f"[{text}](../{name}/notebook.ipynb)"


@pytest.mark.parametrize("name", notes())
def test_note_ends_with_the_way_to_its_neighbours(name):
    titles = {"00-course-map": "A map of the course"} | {other: note.title for other, note in notes().items()}
    place = NOTEBOOKS.index(name)
    way = [linked(titles["00-course-map"], "00-course-map")]
    if place > 1:
        way.append("before: " + linked(titles[NOTEBOOKS[place - 1]], NOTEBOOKS[place - 1]))
    if place + 1 < len(NOTEBOOKS):
        way.append("next: " + linked(titles[NOTEBOOKS[place + 1]], NOTEBOOKS[place + 1]))
    assert text_of(name).split("\n")[-1] == " · ".join(way)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_other_notes_are_linked(name):
    text = text_of(name)
    targets = re.findall(r"\]\(\.\./([^)]*)/notebook\.ipynb\)", text)
    assert set(targets) <= set(NOTEBOOKS)
    numbers = re.findall(r"\[(?:[Nn]ote )?(\d\d)\]\(\.\./(\d\d)-", text)
    assert [(named, target) for named, target in numbers if named != target] == []
    without_links = re.sub(r"\[[^\]]*\]\([^)]*\)", "", text)
    assert re.findall(r"[Nn]otes? \d\d", without_links) == []


def test_no_note_needs_a_later_one():
    order = list(notes())
    late = [
        (name, needed) for name in order for needed in notes()[name].needs if needed not in order[: order.index(name)]
    ]
    assert late == []


def test_the_first_digit_of_a_note_is_its_part():
    parts = {}
    for name, note in notes().items():
        parts.setdefault(name[0], set()).add(note.part)
    assert all(len(named) == 1 for named in parts.values()), parts
    assert len({part for named in parts.values() for part in named}) == len(parts)


# Words by which a text leans on something that the reader is taken to know already.
LEANS_ON = re.compile(
    r"\b(recall|remember|we saw|have seen|as in|known from|we know from|has shown|showed|was derived"
    r"|we derived|derived in|we defined|defined in|introduced in|of the last note)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", notes())
def test_links_to_later_notes_are_pointers_and_nothing_leans_on_them(name):
    """A note may point to a later one ("note 43 does this"), but no sentence takes what stands there for known."""
    order = list(notes())
    later = set(order[order.index(name) + 1 :])
    for sentence in re.split(r"(?<=[.?!:])\s+(?=[A-Z*$\[])|\n\n", text_of(name)):
        targets = set(re.findall(r"\]\(\.\./([^)]*)/notebook\.ipynb\)", sentence))
        assert not (targets & later and LEANS_ON.search(sentence)), sentence


@pytest.mark.parametrize("equation", LEDGER.values(), ids=lambda equation: equation.id)
def test_equation_has_a_topic(equation):
    assert equation.topic in topics()


@pytest.mark.parametrize("key", SECTIONS)
def test_section_that_derives_a_formula_treats_its_topic(key):
    assert SECTIONS[key] in topics()[LEDGER[key].topic].sections


def test_every_equation_of_the_lecture_that_numbers_them_is_there():
    assert [f"E{number}" for number in range(1, 92) if f"E{number}" not in LEDGER] == []
    assert len(LEDGER) >= 200


def test_only_definitions_are_unchecked():
    assert {equation.status for equation in LEDGER.values() if equation.check is None} == {"definition"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_cited_equations_are_in_the_ledger(name):
    cited = re.findall(r"ledger(?: of equations)? ((?:[A-E]\d+[a-z]?(?:, | and | to )?)+)", text_of(name))
    if name == "71-errata":
        marked = re.findall(r"\(([A-E]\d+[a-z]?), (certain|possibly lost in conversion)\)", text_of(name))
        assert len(marked) >= 10
        assert [key for key, mark in marked if ORIGINS[LEDGER[key].origin] != mark] == []
    keys = [key for group in cited for key in re.findall(r"[A-E]\d+[a-z]?", group)]
    assert [key for key in keys if key not in LEDGER] == []


def test_readme_shows_the_counts_of_the_ledger():
    assert summary(list(LEDGER.values())) in (ROOT / "README.md").read_text(encoding="utf-8")
