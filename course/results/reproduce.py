"""Execute the whole pipeline anew, then hold every result against the committed one."""

import fcntl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from course.errors import ResultsError
from course.results import lockfile
from course.results.compare import RTOL, Verdict, compare
from course.results.graph import read_stages
from course.results.journal import Journal


def reproduce(root: Path) -> None:
    """Run all stages, whatever their state, and compare. Raises ResultsError if a result differs."""
    started = time.perf_counter()
    if find_spec("dvc") is None:  # it is run, not imported
        raise ModuleNotFoundError("No module named 'dvc'", name="dvc")
    _git(root, "rev-parse", "HEAD")  # without a commit there is nothing to compare with
    with alone(root):  # also while comparing: another run would change what is compared
        rerun(root)
        verdicts = check(root)
    print(table(verdicts), f"total {time.perf_counter() - started:.0f} s", sep="\n")
    bad = [name for name, verdict in verdicts.items() if not verdict.good]
    if bad:
        raise ResultsError(
            f"{len(bad)} of {len(verdicts)} results differ from the committed ones (table above). "
            "`git diff results` shows how; `git checkout results dvc.lock` brings the committed ones back."
        )


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Refuse a second run in this folder. The lock ends with the process, however that ends."""
    file = root / ".work" / "reproduce.lock"
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(
                "another run is under way in this folder. Wait for it, or end it, and run the same command again: "
                "nothing was touched."
            ) from None
        yield


def rerun(root: Path) -> None:
    """Execute every stage once, and let dvc.lock say so.

    What is done is in the journal until then, so that after a failure, or a kill, the next run goes on where this one
    stopped. A stage counts only if what it has read and written still is as it was: dvc.lock is written in the end.
    """
    from course.results import pipeline  # with joblib, which takes long to import and which `check` can do without

    lockfile.put_back(root)
    lockfile.check(root)
    stages, journal = read_stages(root), Journal(root)
    done = pipeline.execute(root, stages, journal)
    lasting = {name for name in done if journal.holds(stages[name])}
    if done < stages.keys():
        _record_some(root, lasting)
        raise ResultsError(
            "the pipeline failed (messages above). Mend the cause and run the same command again: it goes on "
            "there. `git checkout dvc.lock results` goes back to the last commit instead."
        )
    if changed := sorted(done - lasting):
        _record_some(root, lasting)
        raise ResultsError(
            f"while the stages ran, files that they read or wrote were changed: {', '.join(changed)}. Run the same "
            "command again: it runs these."
        )
    lockfile.record_all(root)
    journal.complete()


def _record_some(root: Path, names: set[str]) -> None:
    try:
        lockfile.record(root, names)
    except ResultsError as error:  # it was something else that failed, and the journal has them in any case
        print(error, file=sys.stderr)


def check(root: Path) -> dict[str, Verdict]:
    """Compare each file of results/ with its version in the last commit."""
    committed = _committed(root)
    present = {path.relative_to(root).as_posix(): path for path in (root / "results").rglob("*") if path.is_file()}
    return {
        name: compare(name, committed.get(name), present[name].read_bytes() if name in present else None)
        for name in sorted(committed.keys() | present.keys())
    }


def table(verdicts: dict[str, Verdict]) -> str:
    """The verdicts, a line a file, and how many there are of each."""
    width = max(map(len, verdicts), default=0)
    lines = [f"{name:<{width}}  {verdict.status:<9}  {verdict.note}".rstrip() for name, verdict in verdicts.items()]
    statuses = [verdict.status for verdict in verdicts.values()]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
    return "\n".join(["", *lines, "", f"{counts} (tolerance of numbers: {RTOL:g} relative)"])


def _committed(root: Path) -> dict[str, bytes]:
    """The files of results/ in the last commit and their contents, by one call of git for all."""
    listed = _git(root, "ls-tree", "-r", "-z", "HEAD", "--", "results").decode().split("\0")
    blobs = {name: entry.split()[2] for entry, _, name in (line.partition("\t") for line in listed if line)}
    told = BytesIO(_git(root, "cat-file", "--batch", given="\n".join(blobs.values())))
    contents = {}
    for name in blobs:
        _, _, size = told.readline().split()
        contents[name] = told.read(int(size))
        told.readline()
    return contents


def _git(root: Path, *arguments: str, given: str = "") -> bytes:
    try:
        return subprocess.run(
            ["git", *arguments], cwd=root, input=given.encode(), check=True, capture_output=True
        ).stdout
    except FileNotFoundError:
        raise ResultsError("git is not installed: the results are compared with those of the last commit") from None
    except subprocess.CalledProcessError as error:
        raise ResultsError(
            f"git {arguments[0]} failed: {error.stderr.decode().strip()}. Results are compared with those of the last "
            "commit: work in a git clone, not in an unpacked archive."
        ) from None
