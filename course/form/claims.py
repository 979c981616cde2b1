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
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from course.errors import FormError
from course.files import write_text
from course.form.reseed import Outcomes, outcomes
from course.notebook.run import read

SEEDS = 20
NEEDED = 19  # of 20 seeds: what holds less often is a fact of one run, and has to be marked as one


Key = tuple[str, bool]  # a sentence, and whether it is marked as a fact of the committed run


@dataclass(frozen=True)
class Claim:
    """A sentence of a note, and the seeds with which it did not hold."""

    sentence: str
    this_run: bool  # marked as a fact of the committed run
    fails_with: tuple[int, ...] = ()


@dataclass
class Table:
    """What the campaign knows of one note: the seeds that were run, and what did not hold with which of them.

    A sentence that was not reached, since the run had ended before, counts as one that did not hold.
    """

    state: str
    seeds: list[int] = field(default_factory=list)
    fails: dict[Key, list[int]] = field(default_factory=dict)
    ended: dict[int, str] = field(default_factory=dict)  # runs that did not come to their end, and why

    def add(self, seed: int, outcomes: Outcomes, sentences: Iterable[Key], problem: str) -> None:
        """Add the outcomes of a run. sentences : those of the note."""
        self.seeds = sorted([*self.seeds, seed])
        for key in failed(outcomes, sentences):
            self.fails[key] = sorted([*self.fails.get(key, []), seed])
        if problem:
            self.ended[seed] = problem

    def to_json(self) -> str:
        """As it is stored; what held with every seed is not named."""
        record: dict[str, object] = {"state": self.state, "seeds": self.seeds, "fails": []}
        record["fails"] = [
            {"sentence": sentence, **({"this run": True} if this_run else {}), "with": seeds}
            for (sentence, this_run), seeds in sorted(self.fails.items())
        ]
        if self.ended:
            record["ended early"] = {str(seed): why for seed, why in sorted(self.ended.items())}
        return json.dumps(record, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def of(cls, text: str) -> "Table":
        """A table as it was stored."""
        record = json.loads(text)
        fails = {(each["sentence"], each.get("this run", False)): each["with"] for each in record["fails"]}
        ended = {int(seed): why for seed, why in record.get("ended early", {}).items()}
        return cls(record["state"], record["seeds"], fails, ended)


def failed(outcomes: Outcomes, sentences: Iterable[Key]) -> list[Key]:
    """What did not hold in a run: sentences of the note, then what its cells assert and claim beside them."""
    return [key for key in dict.fromkeys([*sentences, *outcomes]) if not outcomes.get(key, False)]


def sentences(root: Path, name: str) -> list[Key]:
    """All sentences that the committed run of a note has checked, in its order."""
    entries = json.loads((root / "results" / name / "checks.json").read_text("utf-8"))
    return [(each["sentence"], each.get("this run", False)) for each in entries]


def claims(root: Path, name: str) -> list[Claim]:
    """Every sentence of the note, with the seeds with which it did not hold; what else has failed comes last."""
    known = table(root, name)
    keys = dict.fromkeys([*sentences(root, name), *known.fails])
    return [Claim(*key, tuple(known.fails.get(key, ()))) for key in keys]


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
    missing = [(name, seed) for name in names for seed in seeds_of(root, name, seeds) if seed not in tables[name].seeds]
    total = len(missing)
    if not total:
        print("nothing to run: every note is known with these seeds", file=sys.stderr)
        return
    started = time.monotonic()
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        for done, ((name, seed), (found, problem, seconds)) in enumerate(
            _each(pool, root, missing, jobs, cell_timeout), start=1
        ):
            tables[name].add(seed, found, sentences(root, name), problem)
            write_text(path(root, name), tables[name].to_json())
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
    if problem.startswith("the kernel failed"):  # it was ended from outside, which says nothing about the note
        raise FormError(f"{name}, seed {seed}: {problem}")
    return dict(found), problem, time.perf_counter() - started


def sample(root: Path, names: Sequence[str], *, day: int, notes: int, cell_timeout: int) -> None:
    """Run a few notes with one other seed, which change from day to day, and hold the outcomes against the table.

    day : by which notes and seed are chosen, so that in time all of the table is tried again
    """
    tables = [(name, known) for name in names if (known := stored(root, name)).seeds]
    if not tables:
        raise FormError("results/claims has no table of a note in its present state: python -m course claims")
    for name, known in (tables[(day * notes + each) % len(tables)] for each in range(min(notes, len(tables)))):
        seed = known.seeds[day % len(known.seeds)]
        print(f"{name}: seed {seed} ...", end=" ", file=sys.stderr, flush=True)
        found, problem, seconds = _run(root, name, seed, cell_timeout)
        now = set(failed(found, sentences(root, name)))
        then = {key for key, seeds in known.fails.items() if seed in seeds}
        if now != then:
            other = "; ".join(sorted(sentence for sentence, _ in now ^ then))
            because = f" ({problem})" if problem else ""
            raise FormError(f"{name}: with seed {seed} results/claims has another outcome{because} of: {other}")
        print(f"{len(now)} of {len(found)} claims fail, as in the table, {seconds:.1f} s", file=sys.stderr)


def weak(claims: Iterable[Claim], seeds: int) -> list[Claim]:
    """Claims that are not marked as facts of one run and do not hold for 19 of 20 seeds."""
    allowed = seeds * (SEEDS - NEEDED) // SEEDS
    return [each for each in claims if not each.this_run and len(each.fails_with) > allowed]


def summary(root: Path, names: Sequence[str]) -> str:
    """One line a note: how many claims, with how many seeds, and those that are weak."""
    lines = []
    for name in names:
        seeds = len(stored(root, name).seeds)
        if not seeds:
            continue
        found = claims(root, name)
        frail = weak(found, seeds)
        facts = sum(each.this_run for each in found)
        lines.append(f"{name}: {len(found)} claims, {seeds} seeds, {facts} facts of one run, {len(frail)} weak")
        lines += [f"    ✗ {each.sentence}  [not with seed {', '.join(map(str, each.fails_with))}]" for each in frail]
    return "\n".join(lines)
