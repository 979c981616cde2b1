"""The stages of dvc.yaml side by side: DVC says what is to be done and what was done, the commands are started here.

By itself DVC runs stage after stage, and for each reads and writes all of dvc.yaml and dvc.lock: three seconds, where
many stages take less. Here it is loaded once. What it would write about a stage is put into dvc.lock as text.
"""

import fcntl
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

from probml.errors import ResultsError
from probml.files import write_text

SLOTS = {"core": cpu_count(), "network": 6}  # stages that run at a time, by what they wait for
PENDING = ".work/reproduce.pending"  # a copy of dvc.lock, as the last stage that ended here left it
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
        except LockError:
            raise ResultsError(
                "another run, or a command of DVC, is under way in this folder. Wait for it, or end it, and run the "
                "same command again: nothing was touched."
            ) from None
        except DvcException as error:
            raise ResultsError(f"dvc: {_explained(error)}") from None
        yield repo


def execute(repo: Repo) -> bool:
    """Run each stage that dvc.lock does not show as done, once those whose outputs it reads are. Whether all succeeded.

    In dvc.yaml a stage may say under `meta` how many `seconds` it takes, roughly, and that it `waits_for: network`. Of
    the stages that can begin, that one does on which the longest work waits. Each is written into dvc.lock as it ends,
    so that a run that is interrupted can go on. A stage that fails holds up those that depend on it, and all others
    only if it is the network that fails: then none begins any more.
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
    stages: dict[str, str] = {}
    for text in (lock, update):
        head, *entries = re.split(r"^(?=  \S)", text, flags=re.MULTILINE)
        stages |= {entry.partition("\n")[0]: entry for entry in entries}
    return head + "".join(sorted(stages.values()))


def _run_all(repo: Repo) -> bool:
    root = Path(repo.root_dir)
    graph = repo.index.graph  # its edges lead from a stage to those that it depends on
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
    with _held_by_stages(root) as held, theirs, pool, bar, ours:  # ours is closed first: the pool waits for stages to end
        while (stage := next_stage()) or running:
            if stage:
                waiting.remove(stage)
                if stage.changed():
                    running[pool.submit(_run, stage.cmd, root, theirs, held)] = stage
                else:
                    done.add(stage)
            else:
                for job in wait(running, return_when=FIRST_COMPLETED).done:
                    stage = running.pop(job)
                    if _succeeded(stage, job.result(), root):
                        done.add(stage)
                    elif _waits_for(stage) == "network":
                        online = False
            bar.update(len(done) - bar.n)
    return len(done) == len(graph)


def _urgency(dependents: Callable[[PipelineStage], Collection[PipelineStage]]) -> Callable[[PipelineStage], float]:
    """The seconds of a stage and of the longest chain of stages that wait for it, as dvc.yaml states them."""

    @cache
    def urgency(stage: PipelineStage) -> float:
        return (stage.meta or {}).get("seconds", 0) + max(map(urgency, dependents(stage)), default=0)

    return urgency


def _has_slot(stage: PipelineStage, running: Collection[PipelineStage]) -> bool:
    return sum(_waits_for(other) == _waits_for(stage) for other in running) < SLOTS[_waits_for(stage)]


def _waits_for(stage: PipelineStage) -> str:
    return (stage.meta or {}).get("waits_for", "core")


@contextmanager
def _held_by_stages(root: Path) -> Iterator[IO]:
    """A locked file for stages to inherit: if their run is killed, the next one waits here until they have ended."""
    file = root / ".work" / "stages"
    file.parent.mkdir(exist_ok=True)
    with file.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tqdm.write("waiting for the stages of a run that was killed to end ...", file=sys.stderr)
            fcntl.flock(held, fcntl.LOCK_EX)
        yield held


def _run(command: str, root: Path, lifeline: IO, held: IO) -> int:
    """Run the command of a stage under this environment's Python, and pass on what it says to stderr, line by line.

    It ends with the lifeline. Left behind, a notebook would go on, and meet the next run in the same folder.
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
        pass_fds=[held.fileno()],
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
    lock = root / "dvc.lock"
    entry = dumps_yaml({"schema": "2.0", "stages": to_lockfile(stage)})
    text = merged(lock.read_text(encoding="utf-8") if lock.exists() else "", entry)
    write_text(lock, text)
    write_text(root / PENDING, text)
    return True


def _explained(error: BaseException) -> str:
    """The message of an error and those of its causes."""
    return f"{error}: {_explained(error.__cause__)}" if error.__cause__ else str(error)
