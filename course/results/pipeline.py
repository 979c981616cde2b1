"""The stages of dvc.yaml side by side: DVC says what is to be done and what was done, the commands are started here.

By itself DVC runs stage after stage, and for each reads and writes all of dvc.yaml and dvc.lock: three seconds, where
many stages take less. Here it is loaded once. What it would write about a stage is put into dvc.lock as text.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import IO

from dvc.exceptions import DvcException
from dvc.lock import LockError
from dvc.repo import Repo
from dvc.stage import PipelineStage
from dvc.stage.serialize import to_lockfile
from dvc.utils.serialize import dumps_yaml
from joblib import cpu_count
from tqdm import tqdm

from course.errors import ResultsError
from course.files import write_text
from course.results.meta import seconds, waits_for

SLOTS = {"core": cpu_count(), "network": 6}  # stages that run at a time, by what they wait for
PENDING = ".work/reproduce.pending"  # what dvc.lock says of the stages that the run under way here has done
# What the shell of a stage does first: once the run at the other end of its standard input is gone, however it ended,
# the guard ends their process group. A stage that ends before takes its guard with it.
GUARD = '{ (read _ <&3; kill 0) 2>/dev/null & } 3<&0; exec </dev/null; trap "kill $! 2>/dev/null" EXIT'


@contextmanager
def locked(root: Path) -> Iterator[Repo]:
    """The repository under DVC's lock, by which all else that would run stages in this folder is refused."""
    with ExitStack() as stack:
        try:
            repo = stack.enter_context(Repo(os.fspath(root)))
            stack.enter_context(repo.lock)
            repo.index.graph  # noqa: B018  what is wrong with dvc.yaml or dvc.lock is found before anything is touched
        except LockError:
            raise ResultsError(
                "another run, or a command of DVC, is under way in this folder. Wait for it, or end it, and run the "
                "same command again: nothing was touched."
            ) from None
        except DvcException as error:
            raise ResultsError(
                f"dvc: {_explained(error)}. Correct it, or bring the file back with git checkout: nothing was touched."
            ) from None
        yield repo


def execute(repo: Repo) -> bool:
    """Run each stage once those whose outputs it reads are done. Whether all succeeded.

    Those that a run which was interrupted has done are left as they are, if what they depend on and what they wrote
    still is as it was then.

    In dvc.yaml a stage may say under `meta` how many `seconds` it takes, roughly, and that it `waits_for: network`. Of
    the stages that can begin, that one does on which the longest work waits. Each is written into dvc.lock as it ends.
    A stage that fails holds up those that depend on it, and all others only if it is the network that fails: then none
    begins any more.
    """
    try:
        return _run_all(repo)
    except DvcException as error:
        tqdm.write(f"dvc: {_explained(error)}", file=sys.stderr)
        return False


def merged(lock: str, update: str) -> str:
    """The text of dvc.lock with the stages of `update`, which has the same form. All are in the order of their names.

    DVC writes them in the order in which they ended: by chance.
    """
    return _joined({**_entries(lock), **_entries(update)})


def _entries(lock: str) -> dict[str, str]:
    """The texts in dvc.lock about stages, by their names."""
    _, *entries = re.split(r"^(?=  \S)", lock, flags=re.MULTILINE)
    return {entry.partition(":\n")[0].strip(): entry for entry in entries}


def _joined(entries: dict[str, str]) -> str:
    return "schema: '2.0'\nstages:\n" + "".join(sorted(entries.values()))


def _done_before(root: Path) -> set[str]:
    """Names of the stages that a run which was interrupted has done, and of which dvc.lock says the same since then.

    Others are struck from the list of what is done.
    """
    pending, lock = root / PENDING, root / "dvc.lock"
    if not (pending.exists() and lock.exists()):
        pending.unlink(missing_ok=True)
        return set()
    then, now = (_entries(file.read_text(encoding="utf-8", errors="replace")) for file in (pending, lock))
    same = {name: text for name, text in then.items() if now.get(name) == text}
    write_text(pending, _joined(same))
    return set(same)


def _run_all(repo: Repo) -> bool:
    root = Path(repo.root_dir)
    graph = repo.index.graph  # its edges lead from a stage to those that it depends on
    if before := _done_before(root):
        tqdm.write("going on with a run that was interrupted", file=sys.stderr)
    waiting = sorted(graph, key=_urgency(graph.predecessors), reverse=True)
    running: dict[Future[int], PipelineStage] = {}
    done: set[PipelineStage] = set()
    online = True

    def next_stage() -> PipelineStage | None:
        ready = (stage for stage in waiting if done.issuperset(graph.successors(stage)))
        return next((stage for stage in ready if online and _has_slot(stage, running.values())), None)

    bar = tqdm(total=len(waiting), unit="stage", leave=False, disable=not sys.stderr.isatty())
    pool = ThreadPoolExecutor(sum(SLOTS.values()))
    theirs, ours = map(os.fdopen, os.pipe(), "rw")
    with theirs, pool, bar, ours:  # ours is closed first: the pool waits for stages to end
        while (stage := next_stage()) or running:
            if stage:
                waiting.remove(stage)
                if stage.name in before and not stage.changed():
                    done.add(stage)
                else:
                    running[pool.submit(_run, stage.cmd, root, theirs)] = stage
            else:
                for job in wait(running, return_when=FIRST_COMPLETED).done:
                    stage = running.pop(job)
                    if _succeeded(stage, job.result(), root):
                        done.add(stage)
                    elif waits_for(stage.meta) == "network":
                        online = False
            bar.update(len(done) - bar.n)
    return len(done) == len(graph)


def _urgency(dependents: Callable[[PipelineStage], Collection[PipelineStage]]) -> Callable[[PipelineStage], float]:
    """The seconds of a stage and of the longest chain of stages that wait for it, as dvc.yaml states them."""

    @cache
    def urgency(stage: PipelineStage) -> float:
        return seconds(stage.meta) + max(map(urgency, dependents(stage)), default=0)

    return urgency


def _has_slot(stage: PipelineStage, running: Collection[PipelineStage]) -> bool:
    return sum(waits_for(other.meta) == waits_for(stage.meta) for other in running) < SLOTS[waits_for(stage.meta)]


def _run(command: str, root: Path, lifeline: IO) -> int:
    """Run the command of a stage under this environment's Python, and pass on what it says to stderr, line by line.

    It ends with the lifeline. Left behind, a notebook would go on, and the next run would have to wait for it.
    """
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    with subprocess.Popen(
        f"{GUARD}\n{command}",
        shell=True,
        cwd=root,
        env={**os.environ, "PATH": path},
        stdin=lifeline,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        for line in process.stderr:
            tqdm.write(line, file=sys.stderr, end="")
    return process.returncode


def _succeeded(stage: PipelineStage, status: int, root: Path) -> bool:
    """Whether the command succeeded and left all outputs of the stage. If so, it is written into dvc.lock as done."""
    if status != 0:
        tqdm.write(f"stage {stage.addressing} failed: its command ended with status {status}", file=sys.stderr)
        return False
    try:
        stage.save(run_cache=False)
    except DvcException as error:
        tqdm.write(f"stage {stage.addressing} failed: {_explained(error)}", file=sys.stderr)
        return False
    entry = dumps_yaml({"schema": "2.0", "stages": to_lockfile(stage)})
    for lock in (root / "dvc.lock", root / PENDING):
        write_text(lock, merged(lock.read_text(encoding="utf-8") if lock.exists() else "", entry))
    return True


def _explained(error: BaseException) -> str:
    """The message of an error and those of its causes, in one line."""
    message = " ".join(str(error).split())
    return f"{message}: {_explained(error.__cause__)}" if error.__cause__ else message
