"""All mutants, tried one after the other or several at a time."""

import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage_of_lines import Coverage, Tests
from mutations import Mutation
from outcomes import KILLED, NOT_IMPORTED, SURVIVED, Outcomes, reasons
from trial import BROKEN, FAILED, PASSED, Collected, pytest_options, run_from_the_import
from trial import NOT_IMPORTED as NO_IMPORT

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORK = ROOT / ".work/mutants"


@dataclass
class Campaign:
    """Tries mutants, as many at a time as there are jobs."""

    tests: Tests
    outcomes: Outcomes
    jobs: int
    seconds: float  # of tests for one mutant
    spent: float = 0.0  # seconds of computing, of all trials
    trials: int = 0

    def __post_init__(self) -> None:
        self.coverage = Coverage(self.tests, self.seconds)
        self.killers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # by file and function, and by file
        self.trusted: set[str] = set()  # tests that pass in a copy of the process, without a change
        self.refused: set[str] = set()

    def outcome(self, mutation: Mutation) -> str | None:
        """What is known by now."""
        return self.outcomes.of(mutation, sorted(self.coverage.covering(mutation)))

    def run(self, chosen: Sequence[Mutation]) -> None:
        """In copies of a process that has collected all tests, and, if these cannot judge, from the import on."""
        if all(self.outcome(each) for each in chosen):
            return
        for each in chosen:
            if self.outcome(each) == KILLED:
                self._note_killer(each, self.outcomes.killer(each))
        child = os.fork()
        if child == 0:
            sys.stdout.flush()
            pytest.main(
                [*pytest_options(), *self._files()], plugins=[Collected(lambda it: self._in_copies(chosen, it))]
            )
            os._exit(0)
        os.waitpid(child, 0)
        self.outcomes = Outcomes(self.outcomes.file, self.seconds)
        left = [each for each in chosen if not self.outcome(each)]
        print(f"{len(left)} mutants from the import on", file=sys.stderr, flush=True)
        self._all(left, self._start_from_the_import)

    def _order(self, mutation: Mutation, tests: set[str]) -> list[tuple[str, float]]:
        return self.coverage.in_order(mutation.file, tests, *(self.killers[key] for key in _places(mutation)))

    def _note_killer(self, mutation: Mutation, test: str) -> None:
        for key in _places(mutation):
            self.killers[key][test] += 1

    def _files(self) -> list[str]:
        return sorted({str(ROOT / test.partition("::")[0]) for test in self.tests})

    def _in_copies(self, chosen: Sequence[Mutation], collected: Collected) -> None:
        def start(mutation: Mutation) -> "_Trial | None":
            found = self.coverage.covering(mutation) - self.refused
            fit = set(collected.fit_for(mutation, sorted(found))) & collected.items.keys()
            order = self._order(mutation, fit)
            if not order:
                return None
            return _Trial(mutation, order, lambda result: collected.run(mutation, order, result), final=fit == found)

        def trust(test: str) -> bool:
            """Whether it is the change that makes the test fail."""
            if test not in self.trusted | self.refused:
                seconds = self.tests[test]["seconds"]
                trial = _Trial(None, [(test, seconds)], lambda result: collected.run(None, [(test, seconds)], result))
                code, _ = trial.wait()
                (self.trusted if code == PASSED else self.refused).add(test)
                if code != PASSED:
                    print(f"fails without any change, and is left out: {test}", file=sys.stderr, flush=True)
            return test in self.trusted

        print(f"collected {len(collected.items)} tests", file=sys.stderr, flush=True)
        self._all([each for each in chosen if not self.outcome(each)], start, trust)
        os._exit(0)

    def _start_from_the_import(self, mutation: Mutation) -> "_Trial | None":
        found = self.coverage.covering(mutation)
        order = self._order(mutation, found)
        if not order or (mutation.in_body and not self._runs(mutation)):
            self._keep(mutation, SURVIVED, "")
            return None
        return _Trial(mutation, order, lambda result: run_from_the_import(mutation, order, result))

    def _runs(self, mutation: Mutation) -> bool:
        """Whether any test runs the line, or the import of the library, which tests do not show, may have."""
        lines = range(mutation.lines[0], mutation.lines[1] + 1)
        return any(self.coverage.by_line[mutation.file, line] for line in lines) or not mutation.where

    def _all(
        self,
        waiting: Sequence[Mutation],
        start: Callable[[Mutation], "_Trial | None"],
        trust: Callable[[str], bool] = lambda _: True,
    ) -> None:
        waiting, running = list(waiting), []
        started, total, done = time.monotonic(), len(waiting), 0
        while waiting or running:
            while waiting and len(running) < self.jobs:
                trial = start(waiting.pop(0))
                if trial:
                    running.append(trial)
                else:
                    done += 1
            if len(running) > 1:
                time.sleep(0.005)
            for trial in list(running):
                ended = trial.poll() if len(running) > 1 else trial.wait()
                if ended is None:
                    continue
                running.remove(trial)
                self.spent += trial.seconds
                self.trials += 1
                code, test = ended
                if code == FAILED and not trust(test):
                    waiting.insert(0, trial.mutation)
                    continue
                self._judge(trial, code, test)
                done += 1
                if done % 50 == 0:
                    left = (time.monotonic() - started) / done * (total - done) / 60
                    pace = f"{self.spent / self.trials:.2f} s of computing each, about {left:.0f} min left"
                    print(f"{done} of {total} mutants, {pace}", file=sys.stderr, flush=True)

    def _judge(self, trial: "_Trial", code: int, test: str) -> None:
        if code == FAILED:
            self._note_killer(trial.mutation, test)
            self._keep(trial.mutation, KILLED, test)
        elif code == PASSED and trial.final:
            self._keep(trial.mutation, SURVIVED, "")
        elif code == NO_IMPORT:
            self._keep(trial.mutation, NOT_IMPORTED, "")
        elif code == BROKEN and trial.final and trial.mutation.in_body:
            print(f"could not be tried: {trial.mutation}", flush=True)

    def _keep(self, mutation: Mutation, outcome: str, by: str) -> None:
        self.outcomes.add(mutation, outcome, by, sorted(self.coverage.covering(mutation)))
        if outcome != KILLED and mutation.key not in reasons():
            tried = "" if self._runs(mutation) or not mutation.in_body else " (no test runs it)"
            print(f"{outcome}{tried}: {mutation}", flush=True)


def _places(mutation: Mutation) -> tuple[tuple[str, str], tuple[str, str]]:
    return (mutation.file, mutation.where), (mutation.file, "*")


class _Trial:
    """A mutant in a process of its own, which ends with a status and may leave the name of a test."""

    def __init__(
        self,
        mutation: Mutation | None,
        order: Sequence[tuple[str, float]],
        run: Callable[[int], None],
        *,
        final: bool = True,
    ) -> None:
        self.mutation, self.final, self.seconds = mutation, final, 0.0
        self.folder = tempfile.mkdtemp(dir=WORK)
        self.result = os.open(self.folder, os.O_TMPFILE | os.O_RDWR)
        self.limit = time.monotonic() + 120 + 100 * sum(seconds for _, seconds in order)
        sys.stdout.flush()
        self.child = os.fork()
        if self.child == 0:
            try:
                os.environ["PYTEST_DEBUG_TEMPROOT"] = self.folder
                run(self.result)
            finally:
                os._exit(BROKEN)

    def wait(self) -> tuple[int, str]:
        """The status at the end, and the test that was last run."""
        pause = 0.001
        while (ended := self.poll()) is None:
            time.sleep(pause)
            pause = min(1.5 * pause, 0.05)
        return ended

    def poll(self) -> tuple[int, str] | None:
        """The same, if it has ended."""
        child, status, usage = os.wait4(self.child, os.WNOHANG)
        if not child:
            if time.monotonic() < self.limit:
                return None
            os.kill(self.child, signal.SIGKILL)
            _, status, usage = os.wait4(self.child, 0)
        code = os.waitstatus_to_exitcode(status)
        test = os.pread(self.result, 1000, 0).decode().strip()
        os.close(self.result)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.seconds = usage.ru_utime + usage.ru_stime
        return (FAILED if code < 0 else code), test  # a signal: it took too long, or crashed
