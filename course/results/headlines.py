"""One number a note, as `dvc metrics show` lists them: results/headlines/NOTE.json, all with the same two keys."""

import json
from pathlib import Path

from course.errors import ResultsError
from course.files import write_text
from course.outline import notes


def write(results: Path) -> None:
    """Take the headline of each note from its metrics; an error names the note whose headline is not there."""
    for name, note in notes().items():
        if note.headline is None:
            continue
        source = results / name / f"{note.headline.file}.json"
        try:
            value = json.loads(source.read_text(encoding="utf-8"))[note.headline.key]
        except (FileNotFoundError, KeyError):
            raise ResultsError(
                f"course/outline/notes.toml: the headline of {name} is {note.headline.key!r} of {source}, which is not "
                "there: name another, or run the note first"
            ) from None
        content = {"quantity": note.headline.quantity, "value": value}
        write_text(results / "headlines" / f"{name}.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")
