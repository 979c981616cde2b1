"""A formula that scrolls on a narrow page stands in its line again when the page is wide.

Without this, turning a phone would leave formulas in boxes, torn from the full stop after them.
"""

from visit import DESKTOP, Visit, context

PAGE = "notes/43-logistic-regression.html"
NARROW = {"width": 160, "height": 844}


def test_formulas_are_released(site, browser):
    with context(browser) as profile:
        visit = Visit(site, PAGE, profile.new_page())
        visit.load()
        boxes = visit.tab.locator("span.math.scroll-x")
        assert boxes.count() == 0
        visit.tab.set_viewport_size(NARROW)
        visit.probe("still")
        assert boxes.count() > 0
        visit.tab.set_viewport_size(DESKTOP)
        visit.probe("still")
        assert boxes.count() == 0
        assert visit.tab.locator("span.math[tabindex]").count() == 0
