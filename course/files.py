"""Files that are either there in full or not at all."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file in one step: a reader, or a killed process, never leaves or sees half of it."""
    write_texts({path: text})


def write_texts(texts: Mapping[Path, str]) -> None:
    """Replace the contents of files that belong together, each in one step, by renames that follow one another at once.

    What can fail, as on a full disk, has been done by then. Of two processes that write the same files at the same
    time, one goes first with all of them: its texts are never found beside those of the other.
    """
    with ExitStack() as stack:
        partials = [(path, stack.enter_context(_partial(path))) for path in sorted(texts)]
        for path, file in partials:
            file.write(texts[path])
            file.flush()
        for path, file in partials:
            os.replace(file.name, path)


@contextmanager
def _partial(path: Path) -> Iterator[IO[str]]:
    """An empty file beside `path`, locked against all others that would write `path`.

    Its name is always the same, so that what a killed process leaves is used by the next and does not pile up.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    while True:
        with partial.open("a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not _is(file, partial):  # it was renamed by the writer that this one has waited for
                continue
            file.truncate(0)
            try:
                yield file
            finally:
                if _is(file, partial):
                    partial.unlink()
            return


def _is(file: IO[str], path: Path) -> bool:
    """Whether the open file is the one that `path` names."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
