"""Run a note with other seeds, and count how often each of its checks holds."""

import io
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from nbformat import NotebookNode

from course.errors import FormError, NotebookError
from course.form.collect import FILE, STARTUP, fingerprint
from course.notebook.record import COLLECT
from course.notebook.run import execute, read
from course.notebook.text import one_line

Outcomes = Mapping[tuple[str, bool], bool]  # of one run: what is checked, whether it is marked, whether it held


@dataclass
class Count:
    """How often something that a note checks was reached, and how often it held, over runs with several seeds."""

    text: str
    marked: bool
    held: int = 0
    failed_with: list[int] = field(default_factory=list)

    @property
    def reached(self) -> int:
        """In how many runs it was evaluated."""
        return self.held + len(self.failed_with)


def reseed(name: str, root: Path, *, seeds: int, first: int, strict: bool, cell_timeout: int) -> None:
    """Execute notebooks/`name`.ipynb with other seeds than its own and print how often each check held.

    Everything else is as in a run of the pipeline, but that results go to a folder that is removed in the end.

    first : the smallest seed
    strict : an error if a check that is not marked fails with any seed, or a run does not come to its end
    """
    notebook, values = read(name, root)
    if "seed" not in values:
        print(f"{name} has no parameter 'seed': it is free of chance")
        return
    chosen = list(islice((seed for seed in count(first) if seed != values["seed"]), seeds))
    counts: dict[tuple[str, bool], Count] = {}
    ended: dict[int, str] = {}
    for seed in chosen:
        started = time.perf_counter()
        print(f"{name}: seed {seed} ...", end=" ", file=sys.stderr, flush=True)
        found, problem = outcomes(name, notebook, {**values, "seed": seed}, cell_timeout)
        failed = add(counts, found, seed)
        said = f"{len(found) - failed} of {len(found)} checks hold, {time.perf_counter() - started:.1f} s"
        print(said + (f"; {problem}" if problem else ""), file=sys.stderr, flush=True)
        if problem:
            ended[seed] = problem
    print(report(name, chosen, list(counts.values()), ended))
    broken = [each for each in counts.values() if each.failed_with and not each.marked]
    if strict and (broken or ended):
        raise FormError(
            f"{name}: with other seeds {len(broken)} check(s) that are not marked fail, and {len(ended)} run(s) do not "
            "come to their end (table above)"
        )


def outcomes(name: str, notebook: NotebookNode, values: dict[str, object], timeout: int) -> tuple[Outcomes, str]:
    """What was checked in one run and whether it held, and why the run ended early, if it did."""
    problem = ""
    with tempfile.TemporaryDirectory(prefix="probml-") as output:
        try:
            with redirect_stderr(io.StringIO()):
                execute(name, notebook, values, Path(output), timeout, startup=STARTUP, variables={COLLECT: "1"})
        except NotebookError as error:
            problem = one_line(str(error).removeprefix(f"{name}: ").partition(" (traceback above)")[0])
        return outcomes_in(Path(output), notebook), problem


def outcomes_in(folder: Path, notebook: NotebookNode) -> Outcomes:
    """The outcomes that a run has left: assertions in the order of the cells, then the sentences of its checks."""
    numbers = {fingerprint(cell.source): number for number, cell in enumerate(notebook.cells, start=1)}
    lines = (folder / FILE).read_text(encoding="utf-8").splitlines() if (folder / FILE).exists() else []
    entries = sorted(map(json.loads, lines), key=lambda entry: (numbers.get(entry["cell"], 0), entry["line"]))
    outcomes: dict[tuple[str, bool], bool] = {}
    for entry in entries:
        key = (f"cell {numbers.get(entry['cell'], '?')}, line {entry['line']}: {entry['text']}", False)
        outcomes[key] = outcomes.get(key, True) and entry["holds"]
    checks = folder / "checks.json"
    for entry in json.loads(checks.read_text(encoding="utf-8")) if checks.exists() else []:
        outcomes[entry["sentence"], entry.get("this run", False)] = entry["holds"]
    return outcomes


def add(counts: dict[tuple[str, bool], Count], outcomes: Outcomes, seed: int) -> int:
    """Add the outcomes of a run to the counts; how many have failed."""
    for key, holds in outcomes.items():
        each = counts.setdefault(key, Count(*key))
        if holds:
            each.held += 1
        else:
            each.failed_with.append(seed)
    return sum(not holds for holds in outcomes.values())


def report(name: str, seeds: Sequence[int], counts: Sequence[Count], ended: Mapping[int, str]) -> str:
    """The table: how often each check held, those marked as facts of one run apart."""
    unmarked, marked = ([each for each in counts if each.marked is kind] for kind in (False, True))
    always = sum(not each.failed_with for each in unmarked)
    parts = [f"{name}, seeds {', '.join(map(str, seeds))}: {always} of {len(unmarked)} checks hold whenever reached"]
    parts += ["", *_rows(unmarked, len(seeds))]
    if marked:
        parts += ["", "marked as facts of one run:", *_rows(marked, len(seeds))]
    if ended:
        parts += ["", "runs that did not come to their end:", *(f"seed {seed}: {why}" for seed, why in ended.items())]
    return "\n".join(parts)


def _rows(counts: Iterable[Count], seeds: int) -> Iterable[str]:
    for each in counts:
        times = f"{each.held} of {each.reached}" + ("" if each.reached == seeds else f" (reached {each.reached} times)")
        failed = f"  [fails with seed {', '.join(map(str, each.failed_with))}]" if each.failed_with else ""
        yield f"{'✗' if each.failed_with else '✓'} {times}  {one_line(each.text, 150)}{failed}"
