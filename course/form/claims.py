"""Do the sentences of the notes hold with other seeds? The campaign over all notes, and the table that it leaves.

`reseed` answers for one note and forgets; a campaign runs every note that has a seed with the seeds 1 to 20 and keeps,
in `results/claims/NOTE.json`, with which of them each sentence failed. That takes two hours of two cores, so every
run is stored as it ends: the same command goes on where an earlier one was stopped. What is stored holds for one
state of a note (its code, its parameters, and the numbers of its committed results) and is dropped when that changes.
"""

import ast
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from course.errors import FormError
from course.files import write_text
from course.form.reseed import Outcomes, outcomes
from course.notebook.run import read

SEEDS = 20
NEEDED = 19  # of 20 seeds: what holds less often is a fact of one run, and has to be marked as one


@dataclass
class Claim:
    """A sentence of a note, and the seeds with which it did not hold or was not reached."""

    sentence: str
    this_run: bool  # marked as a fact of the committed run
    fails_with: list[int] = field(default_factory=list)
    missing_with: list[int] = field(default_factory=list)  # the run had ended before


@dataclass
class Table:
    """What the campaign knows of one note."""

    state: str
    runs: dict[int, dict[tuple[str, bool], bool]] = field(default_factory=dict)  # by seed
    ended: dict[int, str] = field(default_factory=dict)  # runs that did not come to their end, and why

    @property
    def claims(self) -> list[Claim]:
        """Sentence by sentence, in the order of the note."""
        keys = dict.fromkeys(key for run in sorted(self.runs.values(), key=len, reverse=True) for key in run)
        return [
            Claim(
                *key,
                [seed for seed, run in sorted(self.runs.items()) if not run.get(key, True)],
                [seed for seed, run in sorted(self.runs.items()) if key not in run],
            )
            for key in keys
        ]

    def to_json(self) -> str:
        """As it is stored: seeds, and for each sentence those with which it failed."""
        entries = []
        for claim in self.claims:
            entry: dict[str, object] = {"sentence": claim.sentence}
            if claim.this_run:
                entry["this run"] = True
            if claim.fails_with:
                entry["fails with"] = claim.fails_with
            if claim.missing_with:
                entry["not reached with"] = claim.missing_with
            entries.append(entry)
        record = {"state": self.state, "seeds": sorted(self.runs), "claims": entries}
        if self.ended:
            record["ended early"] = {str(seed): why for seed, why in sorted(self.ended.items())}
        return json.dumps(record, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def of(cls, text: str) -> "Table":
        """A table as it was stored."""
        record = json.loads(text)
        runs: dict[int, dict[tuple[str, bool], bool]] = {seed: {} for seed in record["seeds"]}
        for entry in record["claims"]:
            key = entry["sentence"], entry.get("this run", False)
            for seed, run in runs.items():
                if seed not in entry.get("not reached with", []):
                    run[key] = seed not in entry.get("fails with", [])
        return cls(record["state"], runs, {int(seed): why for seed, why in record.get("ended early", {}).items()})


def path(root: Path, name: str) -> Path:
    """Where the table of a note is stored."""
    return root / "results/claims" / f"{name}.json"


def state(root: Path, name: str) -> str:
    """By which one sees whether a table is still that of the note: its code, parameters and committed numbers.

    Imports, layout and comments are left out: an import that changes what is computed shows in the numbers.
    """
    notebook, values = read(name, root)
    code = [_statements(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    numbers = {file.name: file.read_text("utf-8") for file in sorted((root / "results" / name).glob("*.json"))}
    return hashlib.sha256(json.dumps([code, values, numbers], sort_keys=True).encode()).hexdigest()


def _statements(source: str) -> str:
    tree = ast.parse(source)
    tree.body = [each for each in tree.body if not isinstance(each, ast.Import | ast.ImportFrom)]
    return ast.unparse(tree)


def table(root: Path, name: str) -> Table:
    """The table as it lies in results."""
    return Table.of(path(root, name).read_text("utf-8"))


def stored(root: Path, name: str) -> Table:
    """What is known of the note in its present state: nothing, if it has changed since."""
    now = state(root, name)
    known = table(root, name) if path(root, name).exists() else Table(now)
    return known if known.state == now else Table(now)


def seeds_of(root: Path, name: str, number: int) -> list[int]:
    """The seeds of a campaign: 1, 2, … without that of the committed run; none if the note is free of chance."""
    _, values = read(name, root)
    if "seed" not in values:
        return []
    return [seed for seed in range(1, number + 2) if seed != values["seed"]][:number]


def campaign(root: Path, names: Sequence[str], *, seeds: int, jobs: int, cell_timeout: int) -> None:
    """Run each of the notes with each seed that is missing, `jobs` at a time, and store every outcome as it comes."""
    tables = {name: stored(root, name) for name in names}
    missing = [(name, seed) for name in names for seed in seeds_of(root, name, seeds) if seed not in tables[name].runs]
    total = len(missing)
    if not total:
        print("nothing to run: every note is known with these seeds", file=sys.stderr)
        return
    started = time.monotonic()
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        for done, ((name, seed), (found, problem, seconds)) in enumerate(
            _each(pool, root, missing, jobs, cell_timeout), start=1
        ):
            table = tables[name]
            table.runs[seed] = dict(found)
            if problem:
                table.ended[seed] = problem
            write_text(path(root, name), table.to_json())
            held = sum(found.values())
            left = (time.monotonic() - started) / done * (total - done) / 60
            said = f"{name}: seed {seed}: {held} of {len(found)} hold, {seconds:.1f} s" + (
                f"; {problem}" if problem else ""
            )
            print(f"{said}; {done} of {total} runs, about {left:.0f} min left", file=sys.stderr, flush=True)


def _each(
    pool: ProcessPoolExecutor, root: Path, missing: Sequence[tuple[str, int]], jobs: int, timeout: int
) -> Iterator[tuple[tuple[str, int], tuple[Outcomes, str, float]]]:
    """Outcomes as they come; never more runs than workers are under way, so that an interrupt loses only those."""
    waiting = iter(missing)
    running: dict[Future[tuple[Outcomes, str, float]], tuple[str, int]] = {}
    while True:
        for name, seed in waiting:
            running[pool.submit(_run, root, name, seed, timeout)] = name, seed
            if len(running) == jobs:
                break
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield running.pop(future), future.result()


def _run(root: Path, name: str, seed: int, timeout: int) -> tuple[Outcomes, str, float]:
    """One note with one seed: what held, why the run ended early (if it did), and the seconds that it took."""
    started = time.perf_counter()
    notebook, values = read(name, root)
    found, problem = outcomes(name, notebook, {**values, "seed": seed}, timeout)
    return dict(found), problem, time.perf_counter() - started


def sample(root: Path, names: Sequence[str], *, day: int, notes: int, cell_timeout: int) -> None:
    """Run a few notes with one other seed, which change from day to day, and hold the outcomes against the table.

    day : by which notes and seed are chosen, so that in time all of the table is tried again
    """
    tables = [(name, known) for name in names if (known := stored(root, name).runs)]
    if not tables:
        raise FormError("results/claims has no table of a note in its present state: python -m course claims")
    for name, known in (tables[(day * notes + each) % len(tables)] for each in range(min(notes, len(tables)))):
        seed = sorted(known)[day % len(known)]
        print(f"{name}: seed {seed} ...", end=" ", file=sys.stderr, flush=True)
        found, problem, seconds = _run(root, name, seed, cell_timeout)
        if found != known[seed]:
            other = [key[0] for key in {**known[seed], **found} if found.get(key) != known[seed].get(key)]
            because = f" ({problem})" if problem else ""
            raise FormError(
                f"{name}: with seed {seed} results/claims has another outcome{because} of: {'; '.join(other)}"
            )
        print(f"{sum(found.values())} of {len(found)} claims hold, as in the table, {seconds:.1f} s", file=sys.stderr)


def weak(claims: Iterable[Claim], seeds: int) -> list[Claim]:
    """Claims that are not marked as facts of one run and do not hold for 19 of 20 seeds."""
    allowed = seeds * (SEEDS - NEEDED) // SEEDS
    return [each for each in claims if not each.this_run and len(each.fails_with) + len(each.missing_with) > allowed]


def summary(tables: Mapping[str, Table]) -> str:
    """One line a note: how many claims hold for how many seeds, and those that are weak."""
    lines = []
    for name, table in tables.items():
        claims = table.claims
        marked = sum(each.this_run for each in claims)
        frail = weak(claims, len(table.runs))
        lines.append(
            f"{name}: {len(claims)} claims, {len(table.runs)} seeds, {marked} facts of one run, {len(frail)} weak"
        )
        for each in frail:
            failed = ", ".join(map(str, each.fails_with + each.missing_with))
            lines.append(f"    ✗ {each.sentence}  [not with seed {failed}]")
    return "\n".join(lines)
