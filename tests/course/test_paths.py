"""Paths through the course can be walked, and the findings of the front page are those of the notes."""

import json
import re
from pathlib import Path

import nbformat
import pytest

from course.interactive import names
from course.outline import notes
from course.outline.findings import demo, findings
from course.outline.layout import cells
from course.outline.paths import hours, paths
from course.outline.reading import minutes

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"\d*\.?\d+")


@pytest.mark.parametrize("path", paths().values(), ids=lambda path: path.id)
class TestPath:
    def test_every_note_exists_and_is_read_once(self, path):
        assert set(path.notes) <= set(notes())
        assert len(set(path.notes)) == len(path.notes)

    def test_no_note_comes_before_what_it_needs_unless_the_path_says_so(self, path):
        assert path.missing() == []

    def test_a_shortcut_skips_what_is_needed_and_not_read_before(self, path):
        for shortcut in path.shortcuts:
            assert shortcut.skips in notes()[shortcut.note].needs
            assert shortcut.skips not in path.notes[: path.notes.index(shortcut.note)]
            assert shortcut.instead.endswith(".")

    def test_minutes_are_those_of_its_notes(self, path):
        assert path.minutes == sum(note.minutes for name, note in notes().items() if name in path.notes)

    def test_it_says_for_whom_and_what_for(self, path):
        assert path.audience.endswith(".")
        assert path.outcome.endswith(".")


@pytest.mark.parametrize("name", notes())
def test_minutes_of_a_note_are_what_it_takes_to_read_it(name):
    source = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    assert notes()[name].minutes == minutes(cells(source)), "correct course/outline/notes.toml"


def test_the_paths_that_a_lecturer_and_an_engineer_look_for():
    assert {"two-week-unit", "semester", "which-classifier"} <= set(paths())


def test_the_semester_reads_everything_week_by_week():
    semester = paths()["semester"]
    assert set(semester.notes) == {name for name, note in notes().items() if note.part != "Reference"}
    assert [re.match(r"Week (\d+): ", stage.title)[1] for stage in semester.stages] == [
        str(week + 1) for week in range(len(semester.stages))
    ]


def test_core_notes_stand_on_core_notes():
    levels = {name: note.level for name, note in notes().items()}
    assert set(levels.values()) == {"core", "further"}
    for name, note in notes().items():
        if note.level == "core":
            assert {levels[other] for other in note.needs} <= {"core"}, name


@pytest.mark.parametrize(
    ("minutes", "said"), [(25, "25 minutes"), (60, "1 hour"), (67, "1 hour"), (68, "1¼ hours"), (150, "2½ hours")]
)
def test_hours(minutes, said):
    assert hours(minutes).replace("\N{NO-BREAK SPACE}", " ") == said


@pytest.mark.parametrize("finding", [demo(), *findings()], ids=lambda finding: finding.figure)
class TestFinding:
    def test_its_figure_is_one_of_the_note(self, finding):
        assert finding.note in notes()
        assert (ROOT / finding.file).is_file()

    def test_every_number_stands_in_the_executed_note(self, finding):
        seen = [float(number) for number in NUMBER.findall(_without_commas(_text_of(finding.note)))]
        for said in NUMBER.findall(_without_commas(finding.sentence)):
            digits = len(said.partition(".")[2])
            assert float(said) in ([round(number, digits) for number in seen] if digits else seen), said


def test_the_demo_is_an_interactive_figure():
    assert demo().interactive in names()


def test_there_are_six_to_nine_findings_of_different_notes():
    of = [finding.note for finding in findings()]
    assert 6 <= len(of) == len(set(of)) <= 9


def _without_commas(text):
    """Thousands are written 1000."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def _text_of(name):
    """The prose of an executed note and what its code has shown, without code and pictures."""
    cells = json.loads((ROOT / "results" / name / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    texts = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            texts.append(cell["source"])
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            texts += [output.get("text", ""), data.get("text/markdown", ""), data.get("text/plain", "")]
    return "\n".join("".join(text) for text in texts)
