"""Tables of the notes, the paths, the topics and the formulas: each is a header and its rows, in Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping

from course.outline import Note, Topic, notes, topics
from course.outline.paths import CoursePath, hours, paths
from course.outline.toml import read_toml

__all__ = ["advice", "formulas_by_lecture", "path_overview", "shortcuts", "stages_of", "the_notes", "the_topics"]

Table = tuple[list[str], list[list[str]]]
STATUSES = {
    "definition": "definitions",
    "holds": "hold as printed",
    "condition": "hold under a condition",
    "erratum": "wrong as printed",
}


def advice() -> Table:
    """What to try first, by what the data are like, with the notes that found it."""
    rows = [
        [each["data"], each["first"], f"{each['because']} ({_notes(each['notes'])})"]
        for each in read_toml("advice.toml")["advice"]
    ]
    return ["your data", "try first", "because"], rows


def path_overview() -> Table:
    """The paths: for whom, what one can do at the end, how many notes, how long."""
    rows = [
        [f"**{path.title}**: {len(path.notes)} notes, {hours(path.minutes)}", path.audience, path.outcome]
        for path in paths().values()
    ]
    return ["path", "for", "at the end"], rows


def stages_of(path: CoursePath) -> Table:
    """The stages of a path, such as its weeks, with their notes."""
    rows = [
        [stage.title, " · ".join(_link(name) for name in stage.notes), hours(sum(_minutes(stage.notes)))]
        for stage in path.stages
    ]
    return [path.title, "notes", "to read"], rows


def shortcuts() -> Table:
    """What each path skips, and what to know instead. Shortcuts that several paths take are said once."""
    taken: dict[tuple[str, str, str], list[str]] = {}
    for path in paths().values():
        for each in path.shortcuts:
            taken.setdefault((each.note, each.skips, each.instead), []).append(path.label)
    rows = [
        [_link(note), _number(skips), instead, ", ".join(labels)] for (note, skips, instead), labels in taken.items()
    ]
    return ["before", "without", "know instead", "on the paths"], rows


def the_notes() -> Table:
    """The notes in reading order: what they ask and need."""
    rows = [
        [_link(name), note.question, ", ".join(_number(other) for other in note.needs), note.level, f"{note.minutes}"]
        for name, note in notes().items()
    ]
    return ["note", "asks", "needs", "level", "minutes"], rows


def the_topics(formulas: Iterable[str]) -> Table:
    """The topics, and the sections that treat them. formulas : the topic of each formula of the lectures"""
    number = Counter(formulas)
    rows = [[topic.id, topic.title, _where(topic), f"{number[key] or ''}"] for key, topic in topics().items()]
    return ["id", "topic", "note.section", "formulas"], rows


def formulas_by_lecture(lectures: Mapping[str, str], statuses: Iterable[tuple[str, str]]) -> Table:
    """How many formulas of each lecture have which status.

    statuses : the letter of the lecture and the status of each formula
    """
    number = Counter(statuses)
    rows = [[name, *(f"{number[letter, status]}" for status in STATUSES)] for letter, name in lectures.items()]
    total = [sum(number[letter, status] for letter in lectures) for status in STATUSES]
    return ["lecture", *STATUSES.values()], [*rows, ["all", *map(str, total)]]


def _notes(names: list[str]) -> str:
    if len(names) == 1:
        return _to(names[0], f"note {names[0][:2]}")
    return f"notes {' and '.join(_number(name) for name in names)}"


def _where(topic: Topic) -> str:
    return ", ".join(_to(section.note, f"{section.note[:2]}.{section.number}") for section in topic.sections)


def _minutes(names: Iterable[str]) -> list[int]:
    return [notes()[name].minutes for name in names]


def _link(name: str) -> str:
    note: Note = notes()[name]
    return _to(name, f"{name[:2]} {note.title}")


def _number(name: str) -> str:
    return _to(name, name[:2])


def _to(name: str, text: str) -> str:
    return f"[{text}](../{name}/notebook.ipynb)"
