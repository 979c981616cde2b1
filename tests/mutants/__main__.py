"""Change the formulas of the library one at a time, and see whether the unit tests notice: `make mutants`.

A mutant is the library with one sign, factor, power, comparison or number changed. It is *killed* by the first test
that fails, an exception at import not counted. Only tests that call the changed function are run, the quickest first,
in a process of its own that has everything but the library in memory already. Loops that Numba would compile run
as plain Python. Outcomes are kept in .work/mutants, so that the command goes on where it was stopped.

What survives is listed in `survivors.toml`, each with the reason why no test could notice (or why none needs to).
"""

import argparse
import ast
import hashlib
import importlib
import json
import os
import random
import signal
import sys
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

import pytest  # noqa: E402
from mutations import Mutation, mutated, mutations  # noqa: E402
from watch import Watch  # noqa: E402

ROOMS = ["families", "losses", "objectives", "solvers", "linear_model", "generative", "naive_bayes", "gda", "nbsvm"]
ROOMS += ["metrics", "curves", "text"]
WORK = ROOT / ".work/mutants"
KILLED, SURVIVED, NOT_IMPORTED, NO_TEST = "killed", "survived", "not imported", "no test"
MAX_SECONDS = 60.0  # of tests for one mutant, by the times that they took without it
PATIENCE = 10  # a mutant may take so many times longer, and ten seconds
ALONE = {"test_scikit_learn_suites.py", "test_threads.py"}  # they start processes of their own


def main() -> int:
    """Run the campaign, print each survivor as it is found, and the score by room."""
    parser = argparse.ArgumentParser(prog="tests/mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"packages or files of probml (default: {ROOMS})")
    parser.add_argument("--sample", type=float, default=1.0, help="the part of all mutants that is tried")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--tests", default="test_*.py", metavar="GLOB", help="files of tests/probml that are run")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    tests = _tests(options.tests)
    chosen = [each for file in _files(options.rooms or ROOMS) for each in mutations(ROOT, file)]
    rng = random.Random(options.seed)
    chosen = [each for each in chosen if rng.random() < options.sample]
    outcomes = _Outcomes.read(options.tests)
    _campaign(chosen, tests, outcomes, options.jobs)
    print(report(chosen, outcomes))
    return 1 if any(outcomes.of(each) in (SURVIVED, NO_TEST) and each.key not in reasons() for each in chosen) else 0


def _files(rooms: Iterable[str]) -> list[str]:
    files = []
    for room in rooms:
        path = ROOT / "probml" / room
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        files += [str(file.relative_to(ROOT)) for file in found]
    return files


def reasons() -> dict[tuple[str, str, str, str], str]:
    """Why mutants survive, as far as somebody has said so."""
    with (HERE / "survivors.toml").open("rb") as file:
        return {
            (each["file"], each["where"], each["old"], each["new"]): each["reason"]
            for each in tomllib.load(file).get("survivor", [])
        }


# --- which tests call what ---


def _tests(glob: str) -> dict[str, dict]:
    """Tests that pass, with the functions they call: seen once for each state of library and tests."""
    file = WORK / f"tests-{_state(glob)}.json"
    if not file.exists():
        print("running the unit tests once, to see what each of them calls ...", file=sys.stderr, flush=True)
        child = os.fork()
        if child == 0:
            _quiet()
            partial = file.with_suffix(".partial")
            pytest.main([*_pytest_options("watch"), *_test_files(glob)], plugins=[Watch(partial)])
            partial.rename(file)
            os._exit(0)
        os.waitpid(child, 0)
    return json.loads(file.read_text(encoding="utf-8"))


def _test_files(glob: str) -> list[str]:
    return [str(file) for file in sorted((ROOT / "tests/probml").glob(glob)) if file.name not in ALONE]


def _state(glob: str) -> str:
    """Of library and tests together."""
    files = [*sorted((ROOT / "probml").rglob("*.py")), *map(Path, _test_files(glob))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _pytest_options(name: str) -> list[str]:
    folder = WORK / f"tmp-{name}"
    preloaded = "ignore::pytest.PytestAssertRewriteWarning"
    return [
        "-q",
        "-W",
        preloaded,
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--rootdir={ROOT}",
        f"--basetemp={folder}",
    ]


def covering(mutation: Mutation, tests: dict[str, dict]) -> list[str]:
    """The tests that call the function; for what stands at the top of a module, those that call any function there."""
    name = f"{mutation.file}:{mutation.where}"
    found = [test for test, seen in tests.items() if name in seen["calls"]]
    if not found:
        found = [
            test for test, seen in tests.items() if any(call.startswith(f"{mutation.file}:") for call in seen["calls"])
        ]
    return sorted(found, key=lambda test: tests[test]["seconds"])


def stages(found: Sequence[str], tests: dict[str, dict]) -> list[list[str]]:
    """First the quickest test of each function of tests, in the two files with most of them; then the others."""
    by_file = Counter(test.partition("::")[0] for test in found)
    main_files = {file for file, _ in by_file.most_common(2)}
    first: dict[str, str] = {}
    for test in found:
        if test.partition("::")[0] in main_files:
            first.setdefault(test.partition("[")[0], test)
    quick = list(first.values())
    rest, seconds = [], 0.0
    for test in found:
        if test not in first.values():
            seconds += tests[test]["seconds"]
            if seconds > MAX_SECONDS:
                break
            rest.append(test)
    return [quick, rest]


# --- one mutant ---


class _Selected:
    """Runs these tests alone, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda i: self.order[i.nodeid])


class _Loader(SourceFileLoader):
    """Loads a changed module, as if it had been read from its file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.get_filename(fullname), "exec")


class _Finder:
    """Finds the changed module before all others look for it."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> object:
        if name != self.name:
            return None
        loader = _Loader(name, str(self.path), self.tree)
        places = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return spec_from_file_location(name, self.path, loader=loader, submodule_search_locations=places)


def _try(mutation: Mutation, found: Sequence[str], tests: dict[str, dict]) -> None:
    """In a process of its own: ends it with the status that says what became of the mutant."""
    _quiet()
    name = mutation.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    sys.meta_path.insert(0, _Finder(name, ROOT / mutation.file, mutated(ROOT, mutation)))
    try:
        importlib.import_module(name)
        importlib.import_module("probml.curves")
    except BaseException:
        os._exit(3)
    for stage in stages(found, tests):
        if stage:
            files = list(dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in stage))
            status = pytest.main([*_pytest_options(str(os.getpid())), "-x", *files], plugins=[_Selected(stage)])
            if status != 0:
                os._exit(1 if status == 1 else 4)
    os._exit(0)


def _quiet() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)


def _preload() -> None:
    """Import what tests and library import from elsewhere, so that each process has it from the start."""
    names = set()
    for file in [*(ROOT / "tests/probml").glob("*.py"), *(ROOT / "probml").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
    with warnings.catch_warnings(action="ignore"):
        for name in sorted(names):
            if name.partition(".")[0] not in ("probml", "choices", "tests", "course"):
                with suppress(ImportError):
                    importlib.import_module(name)
    import hypothesis

    hypothesis.settings.register_profile("mutants", derandomize=True, database=None)
    hypothesis.settings.load_profile("mutants")


# --- all of them ---


@dataclass
class _Outcomes:
    """What became of each mutant in the present state of library and tests, kept line by line."""

    file: Path
    known: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, glob: str) -> "_Outcomes":
        file = WORK / f"outcomes-{_state(glob)}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return cls(file, dict(json.loads(line) for line in lines))

    def of(self, mutation: Mutation) -> str:
        return self.known[f"{mutation.file} {mutation.index}"]

    def has(self, mutation: Mutation) -> bool:
        return f"{mutation.file} {mutation.index}" in self.known

    def add(self, mutation: Mutation, outcome: str) -> None:
        entry = f"{mutation.file} {mutation.index}", outcome
        self.known[entry[0]] = entry[1]
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _campaign(chosen: Sequence[Mutation], tests: dict[str, dict], outcomes: _Outcomes, jobs: int) -> None:
    """As many mutants at a time as there are jobs."""
    waiting = [each for each in chosen if not outcomes.has(each)]
    started, total, done = time.monotonic(), len(waiting), 0
    running: dict[int, tuple[Mutation, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutation = waiting.pop(0)
            found = covering(mutation, tests)
            if not found:
                outcomes.add(mutation, NO_TEST)
                print(f"no test: {mutation}", flush=True)
                done += 1
                continue
            expected = sum(tests[test]["seconds"] for stage in stages(found, tests) for test in stage)
            child = os.fork()
            if child == 0:
                _try(mutation, found, tests)
            running[child] = mutation, time.monotonic() + 20 + PATIENCE * expected
        time.sleep(0.02)
        for child, (mutation, limit) in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() < limit:
                continue
            if not ended:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            del running[child]
            code = os.waitstatus_to_exitcode(status) if ended else 1
            outcome = {0: SURVIVED, 3: NOT_IMPORTED}.get(code, KILLED)
            outcomes.add(mutation, outcome)
            done += 1
            if outcome != KILLED:
                print(f"{outcome}: {mutation}", flush=True)
            if done % 50 == 0:
                left = (time.monotonic() - started) / done * (total - done) / 60
                print(f"{done} of {total} mutants, about {left:.0f} min left", file=sys.stderr, flush=True)


def report(chosen: Sequence[Mutation], outcomes: _Outcomes) -> str:
    """The score by room: killed, of those that change a result."""
    known = reasons()
    rows = [("room", "mutants", "killed", "survive for a reason", "survive", "not imported", "score")]
    counts: dict[str, Counter[str]] = {}
    for each in chosen:
        outcome = outcomes.of(each)
        if outcome in (SURVIVED, NO_TEST):
            outcome = "reason" if each.key in known else SURVIVED
        for room in (each.file.split("/")[1].removesuffix(".py"), "all"):
            counts.setdefault(room, Counter())[outcome] += 1
    for room, count in sorted(counts.items(), key=lambda item: item[0] == "all"):
        judged = count[KILLED] + count[SURVIVED]
        score = f"{count[KILLED] / judged:.1%}" if judged else "–"
        cells = [sum(count.values()), *(count[each] for each in (KILLED, "reason", SURVIVED, NOT_IMPORTED))]
        rows.append((room, *map(str, cells), score))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.chdir(ROOT)
    _preload()
    sys.exit(main())
