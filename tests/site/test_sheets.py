"""Sheets are printed on one page, whatever the paper."""

import re
from pathlib import Path

import pytest
from visit import context

ROOT = Path(__file__).parents[2]
PAGE_OF_PDF = re.compile(rb"/Type /Page\b(?!s)")


def pages_of(site, browser, page, paper):
    with context(browser) as profile:
        tab = profile.new_page()
        tab.goto(site.url(f"{page}.html"))
        tab.wait_for_function("window.MathJax?.startup?.promise")
        tab.evaluate("MathJax.startup.promise.then(() => null)")
        return len(PAGE_OF_PDF.findall(tab.pdf(format=paper)))


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "course/sheets").glob("*.md")))
def test_a_sheet_is_one_page(site, browser, name, paper):
    assert pages_of(site, browser, f"sheets/{name}", paper) == 1


def test_pages_are_counted(site, browser):
    assert pages_of(site, browser, "notes/20-naive-bayes-by-hand", "A4") > 5
