"""Which tests run which lines of the library, and in which order they are tried on a mutant."""

import hashlib
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mutations import Mutation
from trial import pytest_options
from watch import Watch

ROOT = Path(__file__).parents[2]
ALONE = {"test_scikit_learn_suites.py", "test_threads.py"}  # they start processes of their own

Tests = dict[str, dict]


def watched(work: Path) -> Tests:
    """Tests that pass, with the lines they run: seen once for each state of the library and of the file of tests.

    What files of tests share, such as `family_checks.py`, counts as the library does.
    """
    shared = [file for file in (ROOT / "tests/probml").glob("*.py") if not file.name.startswith("test_")]
    library = b"".join(file.read_bytes() for file in sorted([*(ROOT / "probml").rglob("*.py"), *shared]))
    kept = {}
    for file in sorted((ROOT / "tests/probml").glob("test_*.py")):
        if file.name not in ALONE:
            state = hashlib.sha256(library + file.read_bytes()).hexdigest()[:12]
            kept[file] = work / f"{file.stem}-{state}.json"
    for file, seen in kept.items():
        if not seen.exists():
            print(f"running {file.name} once, to see which lines its tests run ...", file=sys.stderr, flush=True)
            child = os.fork()
            if child == 0:
                _watch(file, seen)
            _, status = os.waitpid(child, 0)
            if status:
                raise SystemExit(f"{file.name} could not be run")
            for old in work.glob(f"{file.stem}-*.json"):
                if old != seen:
                    old.unlink()
    return {name: test for seen in kept.values() for name, test in json.loads(seen.read_text()).items()}


def _watch(file: Path, seen: Path) -> None:
    """In a process of its own, which it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        partial = seen.with_suffix(".partial")
        pytest.main([*pytest_options(), str(file)], plugins=[Watch(partial)])
        partial.rename(seen)
        os._exit(0)
    finally:
        os._exit(1)


@dataclass
class Coverage:
    """Which tests run a line of the library."""

    tests: Tests
    seconds: float  # of tests for one mutant, by the times that they took without it
    by_line: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    by_file: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        self.n_lines = {name: sum(map(len, test["lines"].values())) for name, test in self.tests.items()}
        for name, test in self.tests.items():
            for file, lines in test["lines"].items():
                self.by_file[file].add(name)
                for line in lines:
                    self.by_line[file, line].add(name)

    def covering(self, mutation: Mutation) -> set[str]:
        """Those that run a line of the statement; for what is computed at import, those that run any of the file."""
        first, last = mutation.lines
        found = set().union(*(self.by_line[mutation.file, line] for line in range(first, last + 1)))
        return found if found and mutation.in_body else set(self.by_file[mutation.file])

    def in_order(
        self, file: str, found: Iterable[str], killers: Counter[str], of_file: Counter[str]
    ) -> list[tuple[str, float]]:
        """With their seconds: what has killed in the same function, if it is quick, then one of each function of tests.

        Of these come first the quick ones, those that run little outside of the file, and those that have killed in it.
        """
        place: Counter[str] = Counter()
        ranked = []
        for price, test in sorted((self._price(file, test) / (1 + of_file[test]), test) for test in found):
            function = test.partition("[")[0]
            quick = self.tests[test]["seconds"] < self.seconds / 5
            ranked.append((-killers[test] if quick else 0, place[function], price, test))
            place[function] += 1
        chosen, spent = [], 0.0
        for *_, test in sorted(ranked):
            seconds = self.tests[test]["seconds"]
            spent += seconds
            if spent > self.seconds and chosen:
                break
            chosen.append((test, seconds))
        return chosen

    def _price(self, file: str, test: str) -> float:
        """Seconds of the test, by the part of the lines it runs that are in this file."""
        inside = len(self.tests[test]["lines"].get(file, ()))
        return (self.tests[test]["seconds"] + 0.02) * self.n_lines[test] / max(1, inside)
