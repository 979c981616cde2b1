"""A folder of results that is either there in full or not at all, however many runs there are and wherever they end."""

import ctypes
import fcntl
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of Linux; RENAME_SWAP of macOS is 2 as well


@contextmanager
def turn(root: Path, name: str) -> Iterator[Path]:
    """The folder of `name` in .work/, for one process at a time: another one waits for its turn, and says so.

    The lock is the process's own. It ends with it, however that ends, and what it has started does not inherit it.
    """
    folder = root / ".work" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            other = lock.read()
            print(f"{name}: waiting for another run of it to end (process {other}) ...", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield folder


@contextmanager
def staged(root: Path, name: str) -> Iterator[Path]:
    """An empty folder that takes the place of results/`name` in the end, if no error comes between.

    It is a new one for each run: the processes of a run that was killed may write into theirs for a moment yet. What
    such runs have left is removed.
    """
    target = root / "results" / name
    with turn(root, name) as work:
        _put_back(work, target)
        _remove(*work.glob("run-*"), work / "earlier")
        staging = work / f"run-{secrets.token_hex(8)}"
        try:
            staging.mkdir()
            yield staging
            _install(staging, target)
        finally:
            _remove(staging)


def _install(staging: Path, target: Path) -> None:
    """Put the folder `staging` in the place of `target`, or leave `target` as it was."""
    target.parent.mkdir(exist_ok=True)
    if not target.exists():
        os.rename(staging, target)
    elif not _exchange(staging, target):
        _install_by_two_renames(staging, target)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step, of which no kill leaves half. False where the system cannot."""
    system, (a, b) = ctypes.CDLL(None, use_errno=True), (os.fsencode(one), os.fsencode(other))
    if hasattr(system, "renameat2"):  # Linux; not on all filesystems, such as NFS
        return system.renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0
    return hasattr(system, "renamex_np") and system.renamex_np(a, b, RENAME_EXCHANGE) == 0  # macOS


def _install_by_two_renames(staging: Path, target: Path) -> None:
    """The same where folders cannot change places. Killed between the two, the next run undoes the first."""
    work = staging.parent
    try:
        os.rename(target, work / "earlier")
        os.rename(staging, target)
    except BaseException:
        _put_back(work, target)
        raise
    _remove(work / "earlier")


def _put_back(work: Path, target: Path) -> None:
    if (work / "earlier").exists() and not target.exists():
        os.rename(work / "earlier", target)


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
