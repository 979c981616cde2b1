"""Which lines of the library each test runs, and how long it takes: a plugin of pytest."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = f"{ROOT / 'probml'}/"


class Watch:
    """Notes, for each test that passes, its seconds of computing and the lines of the library that it has run."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.tests: dict[str, dict[str, object]] = {}
        self._all_lines: dict[CodeType, set[int]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Fixtures of a module count for the test that first needs them."""
        self._seen: dict[CodeType, set[int]] = {}
        self._passed = True
        started = time.process_time()
        sys.settrace(self._enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            lines: dict[str, set[int]] = {}
            for code, seen in self._seen.items():
                lines.setdefault(code.co_filename.removeprefix(f"{ROOT}/"), set()).update(seen)
            if self._passed and lines:
                self.tests[item.nodeid] = {
                    "seconds": round(time.process_time() - started, 3),
                    "lines": {file: sorted(seen) for file, seen in lines.items()},
                }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails, is skipped or is expected to fail kills nothing."""
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            self._passed = False

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.target.write_text(json.dumps(self.tests), encoding="utf-8")

    def _enter(self, frame: FrameType, _event: str, _: object) -> Callable[..., object] | None:
        """Follow a function of the library, unless this test has run all its lines already."""
        code = frame.f_code
        if not code.co_filename.startswith(LIBRARY):
            return None
        if code not in self._all_lines:
            self._all_lines[code] = {line for _, _, line in code.co_lines() if line}
        seen = self._seen.setdefault(code, set())
        seen.add(frame.f_lineno)
        if len(seen) >= len(self._all_lines[code]):
            return None

        def follow(frame: FrameType, event: str, _: object) -> Callable[..., object]:
            if event == "line":
                seen.add(frame.f_lineno)
            return follow

        return follow
