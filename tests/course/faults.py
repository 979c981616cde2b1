"""Kill runs at random moments, alone and two at once, and look for results that are missing or mixed: `make faults`.

The commands work in a small project of their own: two notebooks, and the ledger of what both claim. Each execution of
a notebook writes one word, which no other has, into all its files. Results are whole if all files are there and hold
the same word, and if both files of the ledger hold the same words. They have to be so at any moment; and once the next
command has succeeded they have to be those of the present parameters.
"""

import argparse
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from course.notebook import normal

NOTES = ("one", "two")
FILES = {"notebook.ipynb", "claims.json", "table.csv", *(f"metrics-{i}.json" for i in range(6))}
WORD = re.compile(r"word-(\d+)-\w+")  # with the number of the trial, which is a parameter
COMMANDS = ("course run one", "dvc repro", "course reproduce")
LEDGER = ("ledger.json", "LEDGER.md")
# DVC writes dvc.lock in place. Killed at that moment, it leaves half of the file, and refuses it the next time.
DAMAGED = re.compile(r"dvc\.lock'? (validation failed|is invalid|structure is corrupted)|unable to read: '.*dvc\.lock'")

_CELLS = (
    """
import secrets, time
from course.notebook import Record

record = Record()
word = f"word-{trial}-{secrets.token_hex(8)}"
print(word)
""",
    """
for i in range(3):
    record.metrics(f"metrics-{i}", {"word": word})
    time.sleep(0.2)
""",
    """
record.table("table", {"word": [word] * 1000})
for i in range(3, 6):
    record.metrics(f"metrics-{i}", {"word": word})
    time.sleep(0.2)
""",
    """
record.claim(NAME, source="s", quantity="q", published="none", ours=word, because="b")
""",
)


class Project:
    """The project in which commands are run and killed."""

    def __init__(self, root: Path) -> None:
        self.root, self.said = root, root.parent / "said"
        self.trial = 0
        (root / "notebooks").mkdir(parents=True)
        (root / "results").mkdir()
        (root / ".dvc").mkdir()
        (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n")
        (root / ".gitignore").write_text(".work\n")
        stages = {}
        for note in NOTES:
            declared = new_code_cell("trial = 0", id="parameters", metadata={"tags": ["parameters"]})
            sources = [source.strip().replace("NAME", repr(note)) for source in _CELLS]
            cells = [declared, *(new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources))]
            (root / "notebooks" / f"{note}.ipynb").write_text(normal.source(new_notebook(cells=cells)))
            files = [f"results/{note}/{file}" for file in sorted(FILES)]
            stages[note] = _stage(f"run {note}", [f"notebooks/{note}.ipynb"], files, params=[note])
        claims = [f"results/{note}/claims.json" for note in NOTES]
        stages["ledger"] = _stage("ledger", claims, [f"results/{file}" for file in LEDGER])
        (root / "dvc.yaml").write_text(json.dumps({"stages": stages}))
        nobody = {f"GIT_{role}_{what}": "nobody" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        nothing = {f"GIT_CONFIG_{kind}": os.devnull for kind in ("GLOBAL", "SYSTEM")}
        dvc = {f"DVC_{kind}_DIR": str(root.parent / "dvc") for kind in ("GLOBAL_CONFIG", "SYSTEM_CONFIG", "SITE_CACHE")}
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        self.environment = {**os.environ, **nobody, **nothing, **dvc, "PATH": path}
        self.next_trial()
        self._do("git init --quiet")
        started = time.monotonic()
        self._do("dvc repro --quiet")
        whole = time.monotonic() - started
        self.takes = dict(zip(COMMANDS, (whole / 3, whole, whole), strict=True))  # seconds, roughly
        self._do("git add .")
        self._do("git commit --quiet --message Results")

    def _do(self, command: str) -> None:
        subprocess.run(shlex.split(command), cwd=self.root, env=self.environment, check=True, capture_output=True)

    def next_trial(self) -> None:
        """Give the notebooks another parameter, by which all stages have changed."""
        self.trial += 1
        (self.root / "params.yaml").write_text(json.dumps({note: {"trial": self.trial} for note in NOTES}))

    def bring_back_lock(self) -> None:
        """What a user does, and the README says, about a dvc.lock that DVC refuses."""
        self._do("git checkout dvc.lock")

    def start(self, command: str) -> subprocess.Popen:
        """A command, in a process group of its own. What it says goes into a file, by which no orphan is waited for."""
        with self.said.open("w") as said:
            return subprocess.Popen(
                [sys.executable, "-m", *shlex.split(command)],
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def problems(self, *, of_this_trial: tuple[str, ...] = ()) -> list[str]:
        """What is missing or mixed in results/, and which of the named notes is not of this trial."""
        found = []
        for note in NOTES:
            contents = _snapshot(self.root / "results" / note)
            words = {word.group() for text in contents.values() for word in WORD.finditer(text)}
            if missing := sorted(file for file in FILES if "word-" not in contents.get(file, "")):
                found.append(f"{note}: missing or empty: {', '.join(missing)}")
            if extra := sorted(contents.keys() - FILES):
                found.append(f"{note}: unknown: {', '.join(extra)}")
            if len(words) > 1:
                found.append(f"{note}: mixed: {', '.join(sorted(words))}")
            if note in of_this_trial and {WORD.fullmatch(word).group(1) for word in words} != {str(self.trial)}:
                found.append(f"{note}: expected trial {self.trial}, found {', '.join(sorted(words))}")
        return found

    def problems_of_ledger(self) -> list[str]:
        """Whether the two files of the ledger differ. For a moment they may, so it is asked when all is quiet."""
        texts = [(self.root / "results" / file).read_text() for file in LEDGER]
        words = [{word.group() for word in WORD.finditer(text)} for text in texts]
        return [] if words[0] == words[1] and len(words[0]) == len(NOTES) else [f"ledger: {words[0]} and {words[1]}"]


def _stage(command: str, dependencies: list[str], outputs: list[str], **more: object) -> dict[str, object]:
    outs = [{output: {"cache": False, "persist": True}} for output in outputs]
    return {"cmd": f"python -m course {command}", "deps": dependencies, "outs": outs, **more}


def _snapshot(folder: Path) -> dict[str, str]:
    """The files of a folder as they were at one moment, though another folder may take its place meanwhile."""
    while True:
        try:
            opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return {}
        try:
            contents = {}
            with suppress(FileNotFoundError):  # the folder is an earlier one by now, and is being removed
                for name in os.listdir(opened):
                    with open(os.open(name, os.O_RDONLY, dir_fd=opened), encoding="utf-8") as file:
                        contents[name] = file.read()
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(opened), folder.stat()):
                    return contents
        finally:
            os.close(opened)


@dataclass(frozen=True)
class Kill:
    """Start one command or two, end the first or both, and run the next.

    between, after : from start to start, and from there to the kill, as parts of the time that the first one takes.
    """

    commands: tuple[str, ...]
    number: signal.Signals
    group: bool
    both: bool
    between: float
    after: float
    next: str

    @property
    def kind(self) -> str:
        """What is counted together."""
        return f"{self.number.name}, {' and '.join(command.removeprefix('course ') for command in self.commands)}"


def plan(seed: int, count: int) -> list[Kill]:
    """Kills of every command, alone and beside every other one, by turns; all else is drawn at random."""
    draw = random.Random(seed)
    alone = [(command,) for command in COMMANDS]
    pairs = [(first, second) for first in COMMANDS for second in COMMANDS]
    kinds = [(of, number) for of in [*alone, *alone, *alone, *pairs] for number in (signal.SIGKILL, signal.SIGTERM)]
    draw.shuffle(kinds)
    return [
        Kill(
            *kinds[i % len(kinds)],
            group=draw.random() < 0.5,
            both=draw.random() < 0.5,
            between=draw.uniform(0, 0.9),
            after=draw.uniform(0, 1.1),
            next=draw.choice(COMMANDS),
        )
        for i in range(count)
    ]


def survives(project: Project, kill: Kill, limit: float = 180) -> list[str]:
    """Carry it out. Returns what went wrong: nothing, if all went well."""
    project.next_trial()
    takes = project.takes[kill.commands[0]]
    with ExitStack() as stack:
        running = [stack.enter_context(project.start(kill.commands[0]))]
        if len(kill.commands) == 2:
            time.sleep(kill.between * takes)
            running.append(stack.enter_context(project.start(kill.commands[1])))
        found = _watch(project, kill.after * takes)
        for process in running if kill.both else running[:1]:
            with suppress(ProcessLookupError):
                (os.killpg if kill.group else os.kill)(process.pid, kill.number)
        for process in running:
            process.wait(timeout=limit)
        found += project.problems()

    with project.start(kill.next) as process:
        process.wait(timeout=limit)
    said = project.said.read_text()
    if kill.next == "dvc repro" and DAMAGED.search(said):
        project.bring_back_lock()
        with project.start(kill.next) as process:
            process.wait(timeout=limit)
        said = project.said.read_text()
    # a reproduction compares with what is committed, which holds another word
    succeeded = "differ from the committed ones" in said if kill.next.endswith("reproduce") else process.returncode == 0
    if not succeeded:
        found.append(f"{kill.next}: status {process.returncode}: {said}")
    found += project.problems(of_this_trial=("one",) if kill.next.endswith("one") else NOTES)
    return found + project.problems_of_ledger()


def _watch(project: Project, seconds: float) -> list[str]:
    """Look at the results again and again for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := project.problems():
            return found
        time.sleep(0.02)
    return []


def campaign(root: Path, seed: int, count: int) -> Counter:
    """Carry out so many kills, and print what each kind came to. Returns how many there were that failed."""
    project = Project(root)
    tried, failed = Counter(), Counter()
    for i, kill in enumerate(plan(seed, count), start=1):
        found = survives(project, kill)
        tried[kill.kind] += 1
        failed[kill.kind] += bool(found)
        print(f"{i} of {count}: {'failed' if found else 'survived'}: {kill}", *found, sep="\n  ", file=sys.stderr)
    width = max(map(len, tried))
    print(f"{'what was killed':<{width}}  tried  survived  failed")
    for kind in sorted(tried):
        print(f"{kind:<{width}}  {tried[kind]:5}  {tried[kind] - failed[kind]:8}  {failed[kind]:6}")
    print(f"{'all':<{width}}  {tried.total():5}  {tried.total() - failed.total():8}  {failed.total():6}")
    return failed


def main() -> int:
    """Exit status 1 if a kill left results that were missing or mixed, or a command that did not succeed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="probml-faults-") as scratch:
        failed = campaign(Path(scratch, "project"), options.seed, options.count)
    return int(failed.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
