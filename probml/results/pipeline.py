"""The stages of dvc.yaml side by side: DVC says what is to be done and what was done, the commands are started here.

By itself DVC runs stage after stage, and for each reads and writes all of dvc.yaml and dvc.lock: three seconds, where
many stages take less. Here it is loaded once. What it would write about a stage is put into dvc.lock as text.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo
from dvc.stage import PipelineStage
from dvc.stage.serialize import to_lockfile
from dvc.utils.serialize import dumps_yaml
from tqdm import tqdm

from probml.files import write_text

SLOTS = {"core": os.cpu_count() or 1, "network": 6}  # stages that run at a time, by what they wait for


def execute(root: Path) -> bool:
    """Run each stage that dvc.lock does not show as done, once those whose outputs it reads are. Whether all succeeded.

    In dvc.yaml a stage may say under `meta` how many `seconds` it takes, roughly, and that it `waits_for: network`. Of
    the stages that can begin, that one does on which the longest work waits. Each is written into dvc.lock as it ends,
    so that a run that is interrupted can go on. A stage that fails holds up those that depend on it, and all others
    only if it is the network that fails: then none begins any more.
    """
    try:
        with Repo(os.fspath(root)) as repo, repo.lock:  # another run in this folder is refused
            return _run_all(root, repo)
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


def _run_all(root: Path, repo: Repo) -> bool:
    graph = repo.index.graph  # its edges lead from a stage to those that it depends on
    waiting = sorted(graph, key=_urgency(graph.predecessors), reverse=True)
    running: dict[Future[int], PipelineStage] = {}
    processes: set[subprocess.Popen] = set()
    done: set[PipelineStage] = set()
    online = True

    def next_stage() -> PipelineStage | None:
        ready = (stage for stage in waiting if done.issuperset(graph.successors(stage)))
        return next((stage for stage in ready if online and _has_slot(stage, running.values())), None)

    bar = tqdm(total=len(waiting), unit="stage", leave=False, disable=not sys.stderr.isatty())
    with ThreadPoolExecutor(sum(SLOTS.values())) as pool, bar, _ended_with_us(processes):
        while (stage := next_stage()) or running:
            if stage:
                waiting.remove(stage)
                if stage.changed():
                    running[pool.submit(_run, stage.cmd, root, processes)] = stage
                else:
                    done.add(stage)
            else:
                for job in wait(running, return_when=FIRST_COMPLETED).done:
                    stage = running.pop(job)
                    if _succeeded(stage, job.result(), root / "dvc.lock"):
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
def _ended_with_us(processes: Collection[subprocess.Popen]) -> Iterator[None]:
    """Ends all processes, each with its own children, when an error, Ctrl-C or a signal ends what is inside.

    Left behind, a notebook would go on, and meet the next run in the same folder.
    """

    def stop(number: int, _: object) -> None:
        sys.exit(128 + number)

    signals = (signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    except BaseException:
        for process in list(processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _run(command: str, root: Path, processes: set[subprocess.Popen]) -> int:
    """Run the command of a stage under this environment's Python, and pass on what it says to stderr, line by line."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    with subprocess.Popen(
        command,
        shell=True,
        cwd=root,
        env={**os.environ, "PATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        processes.add(process)
        for line in process.stderr:
            tqdm.write(line, file=sys.stderr, end="")
    processes.remove(process)
    return process.returncode


def _succeeded(stage: PipelineStage, status: int, lock: Path) -> bool:
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
    write_text(lock, merged(lock.read_text(encoding="utf-8") if lock.exists() else "", entry))
    return True


def _explained(error: BaseException) -> str:
    """The message of an error and those of its causes."""
    return f"{error}: {_explained(error.__cause__)}" if error.__cause__ else str(error)
