"""Is every file of .venv as it was installed? With the standard library only, for nothing else there is trusted yet.

    seal.py seal KEY   hold the files against the RECORDs that came with them; if all is well, note their state
    seal.py check      hold the files against that note, .venv/.ready

Prints "intact", or in one line what is wrong. Compiled modules are left out: Python writes them at the first import,
and what they should contain is nowhere recorded. `make clean` does away with them.
"""

import base64
import csv
import hashlib
import os
import re
import stat
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from glob import iglob

READY = ".venv/.ready"
PYTHON = "python{}.{}".format(*sys.version_info)
PACKAGES = f".venv/lib/{PYTHON}/site-packages"  # where it looks for packages


def files(top: str) -> list[str]:
    """Paths of all files below `top` but compiled modules and the note itself."""
    paths = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != "__pycache__"]
        paths += [f"{folder}/{name}" for name in names]
    return [path for path in paths if not path.startswith(READY)]


def state(path: str) -> str:
    """What changes with the content of a file, but takes no reading it."""
    try:
        status = os.lstat(path)
    except OSError:
        return "none"
    return f"{status.st_mode:o}/{status.st_size}/{status.st_mtime_ns}"


def digest(note: bytes) -> bytes:
    """The end of a note, which shows that all of it is there."""
    return hashlib.sha256(note).hexdigest().encode()


def notation(digest: bytes) -> str:
    """A checksum as a RECORD has it."""
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


EMPTY = notation(hashlib.sha256().digest())


def content(path: str) -> str:
    """Checksum of a file, or of where a link leads; else what is wrong with it, in words."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return "link:" + notation(hashlib.sha256(os.readlink(os.fsencode(path))).digest())
        if not stat.S_ISREG(mode):  # opening a pipe would wait for ever
            return "is no file"
        with open(path, "rb") as file:
            return notation(hashlib.file_digest(file, "sha256").digest())
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def wording(found: str) -> str:
    """What is wrong with content that is not the one expected."""
    if found == EMPTY:
        return "is empty"
    return "is not what was installed" if "sha256=" in found else found


def listed(record: str) -> list[tuple[str, str]]:
    """Paths and checksums of the files of an installed package. It has none if its RECORD is not whole."""
    folder = os.path.dirname(record)
    packages, name = os.path.split(folder)
    rows = []
    with suppress(OSError, ValueError, csv.Error), open(record, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 3]
    if [f"{name}/RECORD", "", ""] not in rows:
        return []
    return [(os.path.normpath(f"{packages}/{path}"), checksum) for path, checksum, _ in rows]


def recorded() -> dict[str, set[str]]:
    """The contents that installed packages say their files have. Where two bring the same file, either is right."""
    contents = defaultdict(set)
    for folder in iglob(".venv/lib/python*/site-packages/*.dist-info"):
        rows = listed(f"{folder}/RECORD")
        if not rows:
            contents[f"{folder}/RECORD"] = set()  # lists no files, not even itself: no content would do
        for path, checksum in rows:
            if checksum.startswith("sha256="):
                contents[path].add(checksum)
    return contents


def module(path: str) -> str:
    """Name of the module or package of site-packages that a file is part of."""
    return path.removeprefix(f"{PACKAGES}/").partition("/")[0].partition(".")[0]


def foreign(known: set[str]) -> list[str]:
    """Files beside or in place of those installed that change what Python does at its start or imports.

    Packages that were installed by hand are not meant, nor modules that stand alone, nor hidden files.
    """
    new = [path for path in files(PACKAGES) if path not in known and not os.path.basename(path).startswith(".")]
    by_hand = {path for record in new if record.endswith(".dist-info/RECORD") for path, _ in listed(record)}
    ours = {"sitecustomize", "usercustomize", *(module(path) for path in known if path.startswith(PACKAGES))}
    at_start = re.compile(re.escape(PACKAGES) + r"/[^/]*\.pth")
    return [path for path in new if path not in by_hand and (module(path) in ours or at_start.fullmatch(path))]


def seal(key: str) -> list[str]:
    """Write the note if every file is as recorded; else say what is wrong."""
    paths = files(".venv")
    with ThreadPoolExecutor() as pool:
        found = dict(zip(paths, pool.map(content, paths), strict=True))
    faults = [
        f"{path} {wording(found.get(path, 'is missing'))}"
        for path, right in recorded().items()
        if found.get(path) not in right
    ]
    if not faults:
        lines = [key, PYTHON, *(f"{state(path)} {found[path]} {path}" for path in paths), ""]
        note = os.fsencode("\n".join(lines))
        with open(f"{READY}.new", "wb") as file:
            file.write(note + digest(note))
        os.replace(f"{READY}.new", READY)
    return faults


def check() -> list[str]:
    """What is wrong with the files, as far as the note knows. Only those of another state are read."""
    with open(READY, "rb") as file:
        note = file.read()
    note, end = note[:-64], note[-64:]
    if end != digest(note):
        return [f"{READY} is not what was written"]
    _, python, *lines, _ = os.fsdecode(note).split("\n")
    notes = [(path, before, right) for before, right, path in (line.split(" ", 2) for line in lines)]
    if python != PYTHON:
        return [f".venv/bin/python is {PYTHON} now, not {python}"]
    changed = [(path, right) for path, before, right in notes if state(path) != before]
    faults = [f"{path} {wording(found)}" for path, right in changed if (found := content(path)) != right]
    return faults + [f"{path} was not installed by the set-up" for path in foreign({path for path, *_ in notes})]


if __name__ == "__main__":
    command, *key = sys.argv[1:]
    faults = {"seal": seal, "check": check}[command](*key)
    print(*faults[:1] or ["intact"], *([f"(and {len(faults) - 1} more like it)"] if faults[1:] else []))
