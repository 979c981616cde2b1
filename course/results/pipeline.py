"""The stages of dvc.yaml side by side, which DVC itself runs one after another.

Each begins once those whose outputs it reads are done, and is written into the journal as it ends.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from joblib import cpu_count
from tqdm import tqdm

from course.results.graph import Stage, prerequisites
from course.results.journal import Journal
from course.results.meta import seconds, waits_for

SLOTS = {"core": cpu_count(), "network": 6}  # stages that run at a time, by what they wait for
# What the shell of a stage does first: once the run at the other end of its standard input is gone, however it ended,
# the guard ends their process group. A stage that ends before takes its guard with it.
GUARD = '{ (read _ <&3; kill 0) 2>/dev/null & } 3<&0; exec </dev/null; trap "kill $! 2>/dev/null" EXIT'


class Outcome(NamedTuple):
    """How a stage ended: the digests of what it read and wrote, or why it failed."""

    read: str = ""
    written: str = ""
    problem: str = ""


def execute(root: Path, stages: Mapping[str, Stage], journal: Journal) -> set[str]:
    """Run each stage once those whose outputs it reads are done. Returns the names of those that succeeded.

    Those that the journal knows are left as they are, if what they depend on and what they wrote still is as it was.

    In dvc.yaml a stage may say under `meta` how many `seconds` it takes, roughly, and that it `waits_for: network`. Of
    the stages that can begin, that one does on which the longest work waits. A stage that fails holds up those that
    depend on it, and all others only if it is the network that fails: then none begins any more.
    """
    before = prerequisites(stages)
    if journal:
        tqdm.write("going on with a run that was interrupted", file=sys.stderr)
    waiting = sorted(stages.values(), key=_urgency(stages, before), reverse=True)
    running: dict[Future[Outcome], Stage] = {}
    done: set[str] = set()
    online = True

    def next_stage() -> Stage | None:
        ready = (stage for stage in waiting if done.issuperset(before[stage.name]))
        return next((stage for stage in ready if online and _has_slot(stage, running.values())), None)

    bar = tqdm(total=len(waiting), unit="stage", leave=False, disable=not sys.stderr.isatty())
    pool = ThreadPoolExecutor(sum(SLOTS.values()))
    theirs, ours = map(os.fdopen, os.pipe(), "rw")
    with theirs, pool, bar, ours:  # ours is closed first: the pool waits for stages to end
        while (stage := next_stage()) or running:
            if stage:
                waiting.remove(stage)
                if journal.holds(stage):
                    done.add(stage.name)
                else:
                    running[pool.submit(_outcome, stage, root, journal, theirs)] = stage
            else:
                for job in wait(running, return_when=FIRST_COMPLETED).done:
                    stage, outcome = running.pop(job), job.result()
                    if not outcome.problem:
                        journal.add(stage, outcome.read, outcome.written)
                        done.add(stage.name)
                        continue
                    tqdm.write(f"stage {stage.name} failed: {outcome.problem}", file=sys.stderr)
                    if waits_for(stage.meta) == "network":
                        online = False
            bar.update(len(done) - bar.n)
    return done


def _urgency(stages: Mapping[str, Stage], before: Mapping[str, Collection[str]]) -> Callable[[Stage], float]:
    """The seconds of a stage and of the longest chain of stages that wait for it, as dvc.yaml states them."""

    @cache
    def urgency(stage: Stage) -> float:
        dependents = (other for other in stages.values() if stage.name in before[other.name])
        return seconds(stage.meta) + max(map(urgency, dependents), default=0)

    return urgency


def _has_slot(stage: Stage, running: Collection[Stage]) -> bool:
    return sum(waits_for(other.meta) == waits_for(stage.meta) for other in running) < SLOTS[waits_for(stage.meta)]


def _outcome(stage: Stage, root: Path, journal: Journal, lifeline: IO) -> Outcome:
    """Run a stage. It has succeeded if its command has, and if all outputs are there."""
    if missing := _missing(root, stage.dependencies):
        return Outcome(problem=f"it depends on {missing}, which is not there")
    read = journal.read_by(stage)  # before it runs: what is changed meanwhile is not what it has read
    if status := _run(stage.command, root, lifeline):
        return Outcome(problem=f"its command ended with status {status}")
    if missing := _missing(root, stage.outputs):
        return Outcome(problem=f"its command has not written {missing}")
    return Outcome(read, journal.written_by(stage))


def _missing(root: Path, paths: Collection[str]) -> str:
    return ", ".join(path for path in paths if not (root / path).exists())


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
