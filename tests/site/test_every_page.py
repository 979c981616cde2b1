"""Every page of the site: loaded from the disk, unfolded by the keyboard, in light and dark, on a desk and a phone."""

import pytest
from fault import listed
from visit import context, inspect

MAX_PAINT = 3000  # ms; the aim is 1000, on a machine that does nothing else


def test_page(site, page, note, browser, record_property):
    faults, paint = inspect(site, page, browser, note)
    faults += site.broken(page)
    record_property("first paint", (page, paint))
    if faults:
        pytest.fail(listed(faults), pytrace=False)
    assert paint is not None, f"{page}: nothing was shown"
    assert paint < MAX_PAINT, f"{page}: shown after {paint:.0f} ms"


def test_every_note_has_its_page(site, all_notes):
    assert {note.page for note in all_notes.values()} <= set(site.pages)


def test_an_old_address_leads_to_the_page(site, old_address, browser):
    assert list(site.broken(old_address)) == []
    with context(browser) as profile:
        tab = profile.new_page()
        tab.goto(site.url(old_address))
        tab.wait_for_selector("article h1")
        assert tab.url != site.url(old_address)
