"""What a run has done so far, in a file of its own: after a failure, or a kill, the next run goes on from there.

Once a run is complete, the file lies in another place: there it tells `validate` which outputs are those of a fresh run.
"""

import hashlib
import json
import sys
from collections.abc import Collection
from pathlib import Path

from course.errors import ResultsError
from course.files import write_text
from course.notebook.text import read_yaml
from course.results.graph import Stage

FILE = ".work/reproduce.json"
COMPLETE = ".work/reproduced.json"


class Journal:
    """The digests of what stages read and of what they wrote. A stage whose digests are still the same is done."""

    def __init__(self, root: Path, file: str = FILE) -> None:
        self._root, self._file = root, root / file
        self._ignored = _lines(root / ".dvcignore")
        try:
            entries = json.loads(self._file.read_bytes())
        except (FileNotFoundError, ValueError):
            entries = {}
        self._entries = entries if isinstance(entries, dict) else {}

    def __bool__(self) -> bool:
        return bool(self._entries)

    def holds(self, stage: Stage) -> bool:
        """Whether the stage was run on what it reads now, and wrote what is there now."""
        entry = self._entries.get(stage.name)
        return entry is not None and entry == [self.read_by(stage), self.written_by(stage)]

    def add(self, stage: Stage, read: str, written: str) -> None:
        """The stage has read and written what has these digests."""
        self._entries[stage.name] = [read, written]
        write_text(self._file, json.dumps(self._entries, indent=1))

    def complete(self) -> None:
        """The next run begins anew; what this one has done is kept for `validate`."""
        if self._file.exists():
            self._file.replace(self._root / COMPLETE)

    def read_by(self, stage: Stage) -> str:
        """Digest of the command, of its parameters, of the files it depends on, and of the Python that runs it."""
        sections = read_yaml(self._root / "params.yaml", ResultsError) if stage.parameters else None
        parameters = [_value(sections, name) for name in stage.parameters]
        return _digest([sys.version, stage.command, stage.parameters, parameters, self._contents(stage.dependencies)])

    def written_by(self, stage: Stage) -> str:
        """Digest of its outputs."""
        return _digest(self._contents(stage.outputs))

    def _contents(self, paths: Collection[str]) -> list[object]:
        return [[path, self._content(self._root / path)] for path in paths]

    def _content(self, path: Path) -> object:
        if not path.is_dir():
            return _file_digest(path)
        files = (file for file in path.rglob("*") if file.is_file())
        names = {file: file.relative_to(path) for file in files}
        return {
            name.as_posix(): _file_digest(file)
            for file, name in sorted(names.items())
            if self._ignored.isdisjoint(name.parts)
        }


def _lines(path: Path) -> set[str]:
    """Names in .dvcignore: what has such a name is no content of the folder it lies in."""
    return set(path.read_text(encoding="utf-8").split("\n")) if path.exists() else set()


def _value(sections: object, name: str) -> object:
    for key in name.split("."):
        sections = sections.get(key) if isinstance(sections, dict) else None
    return sections


def _file_digest(path: Path) -> str | None:
    """None if it is not there, or no more: another run may put another folder in the place of this one."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, default=str).encode()).hexdigest()
