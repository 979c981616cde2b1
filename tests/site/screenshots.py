"""Pictures of pages for people to look at: `make screenshots`, or with the names of pages, PAGES="index notes/05-…".

A page is cut into pictures of about a screen and a half, in the order in which it is read.
"""

import argparse
from pathlib import Path

import browser as system_browser
from files import Site
from visit import DESKTOP, PHONE, Visit, context

ROOT = Path(__file__).parents[2]
PAGES = ["index", "notes/00-course-map", "notes/20-naive-bayes-by-hand", "notes/43-logistic-regression"]
LOOKS = {
    "desktop": {"viewport": DESKTOP},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "is_mobile": True, "has_touch": True, "device_scale_factor": 2},
}
SLICE = 1400  # pixels of height
OVERLAP = 100  # what the bar at the head of the page may cover of the next picture


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", default=PAGES, help="paths of pages in the site, without .html")
    parser.add_argument("--site", type=Path, default=ROOT / "build/site")
    parser.add_argument("--output", type=Path, default=ROOT / ".work/screenshots")
    parser.add_argument("--most", type=int, default=8, help="pictures of one page in one look (default: %(default)s)")
    parser.add_argument("--unfolded", action="store_true", help="with every fold open")
    options = parser.parse_args()
    site = Site(options.site)
    options.output.mkdir(parents=True, exist_ok=True)
    with system_browser.started() as browser:
        for look, settings in LOOKS.items():
            with context(browser, **settings) as profile:
                for page in options.pages:
                    visit = Visit(site, f"{page}.html", profile.new_page())
                    visit.load()
                    if options.unfolded:
                        visit.unfold()
                    _take(visit, options.output / f"{page.replace('/', '-')}-{look}", options.most)
                    visit.tab.close()
    print(f"pictures are in {options.output}")


def _take(visit: Visit, stem: Path, most: int) -> None:
    """Scroll as a reader does: for a picture of the full page the browser would lay the page out anew."""
    width = visit.tab.viewport_size["width"]
    visit.tab.set_viewport_size({"width": width, "height": SLICE})
    visit.probe("still")
    height = visit.tab.evaluate("document.documentElement.scrollHeight")
    for number, top in enumerate(range(0, height, SLICE - OVERLAP)[:most], 1):
        visit.tab.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        visit.tab.screenshot(path=f"{stem}-{number:02}.png")


if __name__ == "__main__":
    main()
