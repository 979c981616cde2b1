"""dvc.lock, in which DVC records what stages have read and written. It is written by commands of DVC only."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

from tqdm import tqdm

from course.errors import ResultsError
from course.notebook.text import one_line

PATIENCE = 60  # seconds for which another command of DVC is waited for
ASIDE = ".work/dvc.lock"  # as it was, while it is being written
# How DVC reports that another of its commands holds the lock on the project, or on a file of it.
BUSY = ("Unable to acquire lock", "is busy, it is being blocked by")


def check(root: Path) -> None:
    """Raise ResultsError, in one line, for a project that DVC cannot use. A dvc.lock that it cannot use is removed.

    DVC writes dvc.lock in place: a command of it that is killed at that moment leaves half of the file.
    """
    done = _dvc(root, "dag", "--dot")
    if done.returncode != 0 and "dvc.lock" in _explained(done):
        tqdm.write("dvc.lock is damaged, as by a killed command of DVC: it will be written anew", file=sys.stderr)
        (root / "dvc.lock").unlink()
        done = _dvc(root, "dag", "--dot")
    if done.returncode != 0:
        raise ResultsError(
            f"dvc: {_explained(done)}. Correct it, or bring the file back with git checkout: nothing was touched."
        )


def record_all(root: Path) -> None:
    """Write dvc.lock anew: all stages in the order of dvc.yaml, and none of which dvc.yaml says nothing any more."""
    _record(root, [])


def record(root: Path, names: Collection[str]) -> None:
    """Record these stages, as far as dvc.lock does not show them as they are. Each takes DVC a second or two."""
    status = _dvc(root, "status", "--json")
    if status.returncode != 0:
        raise _failed(status)
    changed = json.loads(status.stdout or "{}")
    if stages := sorted(changed.keys() & set(names)):
        _record(root, stages)


def put_back(root: Path) -> None:
    """Undo what a run that was killed here has left half written."""
    if (root / ASIDE).exists():
        os.replace(root / ASIDE, root / "dvc.lock")


def _record(root: Path, names: list[str]) -> None:
    """Record the stages of these names; without names all, of which nothing is taken over from the present dvc.lock."""
    lock, aside = root / "dvc.lock", root / ASIDE
    if lock.exists():
        aside.parent.mkdir(exist_ok=True)
        partial = aside.with_suffix(".partial")
        shutil.copyfile(lock, partial)
        os.replace(partial, aside)
        if not names:
            lock.unlink()
    try:
        done = _dvc(root, "commit", "--force", *names)
        if done.returncode != 0:
            raise _failed(done)
    except BaseException:
        put_back(root)
        raise
    aside.unlink(missing_ok=True)


def _dvc(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of DVC. Another one that is under way in the folder is waited for."""
    command = [sys.executable, "-m", "dvc", *arguments]
    until, told = time.monotonic() + PATIENCE, False
    while True:
        done = subprocess.run(
            command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace"
        )
        if done.returncode == 0 or not any(words in done.stderr for words in BUSY) or time.monotonic() > until:
            return done
        if not told:
            tqdm.write("waiting for another command of DVC in this folder to end ...", file=sys.stderr)
            told = True
        time.sleep(0.2)  # DVC itself has tried for some seconds


def _failed(done: subprocess.CompletedProcess[str]) -> ResultsError:
    if any(words in done.stderr for words in BUSY):
        return ResultsError(
            "dvc.lock was not written: another command of DVC is under way in this folder. Wait for it, or end it, "
            "and run the same command again: what was done is not done again."
        )
    return ResultsError(f"dvc.lock was not written. dvc: {_explained(done)}")


def _explained(done: subprocess.CompletedProcess[str]) -> str:
    """What DVC says of an error, in one line."""
    return one_line((done.stderr or done.stdout).strip().removeprefix("ERROR: ").removesuffix("."), 300)
