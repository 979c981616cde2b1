"""Which tests call which functions of the library, and how long they take: a plugin of pytest."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = f"{ROOT / 'probml'}/"


class Watch:
    """Notes, for each test that passes, its seconds and the functions (file:name) that it has called."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.tests: dict[str, dict[str, object]] = {}
        self._names: dict[CodeType, str | None] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Fixtures of a module count for the test that first needs them."""
        self._called: set[CodeType] = set()
        self._passed = True
        started = time.perf_counter()
        sys.setprofile(self._profile)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            names = {name for code in self._called if (name := self._name(code))}
            if self._passed and names:
                self.tests[item.nodeid] = {
                    "seconds": round(time.perf_counter() - started, 3),
                    "calls": sorted(names),
                }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails, is skipped or is expected to fail kills nothing."""
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            self._passed = False

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.target.write_text(json.dumps(self.tests), encoding="utf-8")

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._called.add(frame.f_code)

    def _name(self, code: CodeType) -> str | None:
        """File and function; one that is defined within another counts as the outer one."""
        if code not in self._names:
            inside = code.co_filename.startswith(LIBRARY)
            file = code.co_filename.removeprefix(f"{ROOT}/")
            self._names[code] = f"{file}:{code.co_qualname.partition('.<locals>')[0]}" if inside else None
        return self._names[code]
