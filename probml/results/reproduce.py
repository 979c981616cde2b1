"""Execute the whole pipeline anew, then hold every result against the committed one."""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from probml.errors import ResultsError
from probml.results.compare import RTOL, Verdict, compare

PENDING = ".work/reproduce.pending"
LONGEST = ("22-ng-jordan-redone", "09-nb-svm-nbsvm")  # begun first, so that no core waits for them at the end


def reproduce(root: Path) -> None:
    """Run all stages, whatever their state, and compare. Raises ResultsError if a result differs."""
    started = time.perf_counter()
    rerun(root)
    verdicts = check(root)
    print(table(verdicts), f"total {time.perf_counter() - started:.0f} s", sep="\n")
    bad = [name for name, verdict in verdicts.items() if not verdict.good]
    if bad:
        raise ResultsError(
            f"{len(bad)} of {len(verdicts)} results differ from the committed ones (table above). "
            "`git diff results` shows how; `git checkout results dvc.lock` brings the committed ones back."
        )


def rerun(root: Path) -> None:
    """Execute every stage once.

    Without dvc.lock, DVC takes no stage for done. The lock grows as stages end. A run that was killed has left its
    mark and a lock that lacks stages; the next one takes up that lock, so that it goes on where the other stopped.
    A lock that is the committed one again, through `git checkout` or `dvc repro`, is no sign of progress.
    """
    pending, lock = root / PENDING, root / "dvc.lock"
    _git(root, "rev-parse", "HEAD")  # without a commit there is nothing to compare with
    earlier = lock.read_bytes() if lock.exists() else None
    if pending.exists() and lock.exists() and lock.read_bytes() != _committed(root, "dvc.lock"):
        print("going on with a run that was interrupted", file=sys.stderr)
    else:
        lock.unlink(missing_ok=True)
        pending.parent.mkdir(exist_ok=True)
        pending.touch()
    if not (_side_by_side(root) and _dvc(root)):
        if not lock.exists() and earlier is not None:  # no stage has ended
            lock.write_bytes(earlier)
        raise ResultsError(
            "the pipeline failed (messages above). Mend the cause and run the same command again: it goes on there, "
            "as dvc.lock shows how far it came. `git checkout dvc.lock results` goes back to the last commit instead."
        )
    lock.write_text(sorted_stages(lock.read_text(encoding="utf-8")), encoding="utf-8")
    pending.unlink(missing_ok=True)


def sorted_stages(lock: str) -> str:
    """The text of dvc.lock with its stages by name. DVC writes them in the order in which they ended: by chance."""
    head, *stages = re.split(r"^(?=  \S)", lock, flags=re.MULTILINE)
    return head + "".join(sorted(stages))


def _side_by_side(root: Path) -> bool:
    """Fetch the data, then do all that depends on nothing else, the notebooks above all, on all cores.

    DVC by itself runs stage after stage. Whatever it has not done when this ends, as one process may have waited too
    long for another's lock, is left for a last `dvc repro`.
    """
    try:
        stages = yaml.safe_load((root / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    except yaml.YAMLError:
        return True  # DVC says what is wrong
    if "data" in stages and not _dvc(root, "data"):
        return False
    first = [name for name, stage in stages.items() if name != "data" and not _waits(stage)]
    first.sort(key=lambda name: name not in LONGEST)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: _dvc(root, "--single-item", name), first))
    return True


def _waits(stage: dict) -> bool:
    """Whether a stage reads the results of others, but for the receipts of the data."""
    return any(each.startswith("results/") and not each.startswith("results/data/") for each in stage.get("deps", []))


def _dvc(root: Path, *arguments: str) -> bool:
    """Run `dvc repro`. Whether it did what it had to do.

    What DVC has to say of every stage goes to stdout and is left out; errors and the progress of the stages do not.
    """
    command = [sys.executable, "-m", "dvc", "repro", "--no-run-cache", *arguments]
    return subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=False).returncode == 0


def check(root: Path) -> dict[str, Verdict]:
    """Compare each file of results/ with its version in the last commit."""
    committed = _git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", "results").decode().split("\0")
    present = [path.relative_to(root).as_posix() for path in (root / "results").rglob("*") if path.is_file()]
    return {
        name: compare(name, _committed(root, name), (root / name).read_bytes() if name in present else None)
        for name in sorted({*filter(None, committed), *present})
    }


def table(verdicts: dict[str, Verdict]) -> str:
    """The verdicts, a line a file, and how many there are of each."""
    width = max(map(len, verdicts), default=0)
    lines = [f"{name:<{width}}  {verdict.status:<9}  {verdict.note}".rstrip() for name, verdict in verdicts.items()]
    statuses = [verdict.status for verdict in verdicts.values()]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
    return "\n".join(["", *lines, "", f"{counts} (tolerance of numbers: {RTOL:g} relative)"])


def _committed(root: Path, name: str) -> bytes | None:
    """Content of a file in the last commit, or None if it is not there."""
    return _git(root, "show", f"HEAD:{name}") if _git(root, "ls-tree", "HEAD", "--", name) else None


def _git(root: Path, *arguments: str) -> bytes:
    try:
        return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout
    except FileNotFoundError:
        raise ResultsError("git is not installed: the results are compared with those of the last commit") from None
    except subprocess.CalledProcessError as error:
        raise ResultsError(
            f"git {arguments[0]} failed: {error.stderr.decode().strip()}. Results are compared with those of the last "
            "commit: work in a git clone, not in an unpacked archive."
        ) from None
