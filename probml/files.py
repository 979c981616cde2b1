"""Files that are either there in full or not at all, and nothing but files."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file in one step: a reader, or a killed process, never leaves or sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading; a pipe that nobody writes to, a device or a folder is an OSError, not a long wait."""
    return open(path, "rb", opener=_open_regular)


def _open_regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no regular file", path)
    return descriptor
