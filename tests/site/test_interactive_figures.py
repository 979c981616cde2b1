"""The interactive figures in the notes come to life on desk and phone, and without scripts each page reads as well.

Without this, a figure that never starts, or a text that only a script shows, would be found by readers first.
"""

import pytest
from fault import listed
from interactive import operate
from visit import PHONE, Visit, context

SETTINGS = {
    "desk": {},
    "dark phone, reduced motion": {
        "viewport": PHONE,
        "color_scheme": "dark",
        "reduced_motion": "reduce",
        "has_touch": True,
        "is_mobile": True,
    },
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_figures_follow_the_reader(site, figure_page, browser, setting):
    with context(browser, **SETTINGS[setting]) as profile:
        visit = Visit(site, figure_page, profile.new_page())
        visit.load()
        operate(visit)
        if visit.faults:
            pytest.fail(listed(visit.faults), pytrace=False)


def test_page_without_scripts(site, written_page, browser):
    with context(browser, java_script_enabled=False) as profile:
        visit = Visit(site, written_page, profile.new_page())
        visit.read_without_scripts()
        if visit.faults:
            pytest.fail(listed(visit.faults), pytrace=False)
