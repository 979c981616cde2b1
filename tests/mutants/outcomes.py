"""What became of mutants, kept from one run to the next."""

import ast
import hashlib
import json
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mutations import Mutation

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KILLED, SURVIVED, NOT_IMPORTED = "killed", "survived", "not imported"


class Outcomes:
    """One line for each mutant that was tried.

    A mutant stays killed until its file changes, or the function of the test that killed it. A survivor is tried again
    once a test that runs its line is new or changed, or for other `seconds` of tests.
    """

    def __init__(self, file: Path, seconds: float) -> None:
        self.file, self.seconds = file, seconds
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self.known: dict[str, list[str]] = {line["mutant"]: line["outcome"] for line in map(json.loads, lines)}

    def of(self, mutation: Mutation, covering: Sequence[str]) -> str | None:
        """The outcome, if it still holds."""
        outcome, by, told = self.known.get(_identity(mutation), (None, "", ""))
        if outcome == KILLED and by in covering and told == _told([by]):
            return KILLED
        if outcome in (SURVIVED, NOT_IMPORTED) and told == self._tried(covering):
            return outcome
        return None

    def killer(self, mutation: Mutation) -> str:
        """The test that killed it."""
        return self.known[_identity(mutation)][1]

    def add(self, mutation: Mutation, outcome: str, by: str, covering: Sequence[str]) -> None:
        """Keep an outcome; `by` is the test that killed the mutant."""
        told = _told([by]) if outcome == KILLED else self._tried(covering)
        self.known[_identity(mutation)] = [outcome, by, told]
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"mutant": _identity(mutation), "outcome": [outcome, by, told]}) + "\n")

    def _tried(self, covering: Sequence[str]) -> str:
        return f"{_told(covering)} {self.seconds:g} s"


@cache
def reasons() -> dict[tuple[str, str, str, str, int], str]:
    """Why mutants survive, as far as somebody has said so."""
    with (HERE / "survivors.toml").open("rb") as file:
        return {
            (each["file"], each["where"], each["old"], each["new"], each.get("nth", 1)): each["reason"]
            for each in tomllib.load(file).get("survivor", [])
        }


def _identity(mutation: Mutation) -> str:
    """By the text of its file, so that nothing is taken over to another one."""
    _, where, old, new, nth = mutation.key
    return f"{mutation.file} {_digest(ROOT / mutation.file)} {where}: {old} → {new} {nth}"


@cache
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def _told(tests: Sequence[str]) -> str:
    """A digest of names and functions of tests."""
    parts = [f"{test} {_function(test.partition('[')[0])}" for test in sorted(tests)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


@cache
def _function(test: str) -> str:
    file, *names = test.split("::")
    return _functions(file).get(names[-1], "")


@cache
def _functions(file: str) -> dict[str, str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
