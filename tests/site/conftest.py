"""`make site-test`: the built site in a real browser. Not part of `make test`, which needs none."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import browser as system_browser
import pytest
from files import Site
from notes import Note, notes
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--site", type=Path, default=ROOT / "build/site", metavar="FOLDER", help="the site to be tested")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that take a `page` run on every page; some on all but source code, or on those with interactive figures."""
    site = Site(metafunc.config.getoption("--site"))
    if "page" in metafunc.fixturenames:
        metafunc.parametrize("page", site.pages)
    if "written_page" in metafunc.fixturenames:
        metafunc.parametrize("written_page", [page for page in site.pages if not page.startswith("source/")])
    if "old_address" in metafunc.fixturenames:
        metafunc.parametrize("old_address", site.old_addresses)
    if "figure_page" in metafunc.fixturenames:
        metafunc.parametrize("figure_page", site.pages_with('class="probml-figure"'))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with system_browser.started() as started:
        yield started


@pytest.fixture(scope="session")
def site(pytestconfig: pytest.Config) -> Site:
    return Site(pytestconfig.getoption("--site"))


@pytest.fixture(scope="session")
def all_notes() -> dict[str, Note]:
    """The executed notes by the path of their page."""
    return {note.page: note for note in notes(ROOT / "results")}


@pytest.fixture
def note(page: str, all_notes: dict[str, Note]) -> Note | None:
    """The note that the page shows, if it shows one."""
    return all_notes.get(page)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How soon pages show their text."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    found = [
        value for report in reports for name, value in report.user_properties if name == "first paint" and value[1]
    ]
    if found:
        page, slowest = max(found, key=lambda value: value[1])
        middle = median(paint for _, paint in found)
        terminalreporter.write_line(f"first paint: {middle:.0f} ms (median), {slowest:.0f} ms at most ({page})")
