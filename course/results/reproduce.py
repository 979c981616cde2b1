"""Execute the whole pipeline anew, then hold every result against the committed one."""

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from course.errors import ResultsError
from course.results.compare import RTOL, Verdict, compare

if TYPE_CHECKING:
    from dvc.repo import Repo


def reproduce(root: Path) -> None:
    """Run all stages, whatever their state, and compare. Raises ResultsError if a result differs."""
    from course.results import pipeline  # with DVC, which takes a second to import and which `check` can do without

    started = time.perf_counter()
    _git(root, "rev-parse", "HEAD")  # without a commit there is nothing to compare with
    with pipeline.locked(root) as repo:  # also while comparing: another run would change what is compared
        rerun(root, repo)
        verdicts = check(root)
    print(table(verdicts), f"total {time.perf_counter() - started:.0f} s", sep="\n")
    bad = [name for name, verdict in verdicts.items() if not verdict.good]
    if bad:
        raise ResultsError(
            f"{len(bad)} of {len(verdicts)} results differ from the committed ones (table above). "
            "`git diff results` shows how; `git checkout results dvc.lock` brings the committed ones back."
        )


def rerun(root: Path, repo: "Repo") -> None:
    """Execute every stage once, and let dvc.lock say so. DVC's lock is held by the caller.

    What is done is also written down apart, so that after a failure, or a kill, the next run goes on where this one
    stopped. In the end that is the new dvc.lock.
    """
    from course.results import pipeline

    succeeded = pipeline.execute(repo)
    if not succeeded:
        raise ResultsError(
            "the pipeline failed (messages above). Mend the cause and run the same command again: it goes on "
            "there. `git checkout dvc.lock results` goes back to the last commit instead."
        )
    if (pending := root / pipeline.PENDING).exists():
        pending.replace(root / "dvc.lock")


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
