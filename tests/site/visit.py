"""A page, seen in the browser: what is wrong with it when it is loaded, unfolded, dark, and as narrow as a phone."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from fault import Fault
from files import Site
from notes import Note
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

PROBES = Path(__file__).with_name("probes.js")
DESKTOP = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 844}
MAY_SCROLL = ".scroll-x:has(table)"  # tables that are marked so
MAY_SCROLL_ON_A_PHONE = ".scroll-x"
MIN_WORDS = 5
FREE = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")  # what asks nothing of the outside
CANCELLED = ("net::ERR_ABORTED", "csp")  # no longer needed, or a script where scripts are off
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "resultTypes": ["violations"],
    "preload": False,  # it would fetch style sheets anew, by requests that file:// does not allow
}
AT_LOAD = {
    "maths error": "mathsErrors",
    "maths not typeset": "untypesetMaths",
    "raw Markdown": "rawMarkdown",
    "broken image": "brokenImages",
    "no alternative text": "imagesWithoutText",
    "unfolded at load": "openAtLoad",
    "fold without a title": "foldsWithoutSummary",
}


@contextmanager
def context(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A profile of its own, that knows the probes and lets nothing through to the outside."""
    new = browser.new_context(**{"viewport": DESKTOP, "color_scheme": "light", **options})
    new.set_default_timeout(60_000)
    new.add_init_script(path=PROBES)
    new.route(re.compile(f"^(?!{'|'.join(map(re.escape, FREE))})"), _abort)
    yield new
    new.close()


def _plain(text: str) -> str:
    return " ".join(text.split())


def _abort(route: Route) -> None:
    route.abort()


class Visit:
    """One page in a tab of its own; `faults` grows as things are found."""

    def __init__(self, site: Site, page: str, tab: Page) -> None:
        self.site, self.page, self.tab = site, page, tab
        self.faults: list[Fault] = []
        tab.on("console", self._on_console)
        tab.on("pageerror", lambda error: self.found("page error", [error.message.partition("\n")[0]]))
        tab.on("request", self._on_request)
        tab.on("requestfailed", self._on_failure)
        tab.on("websocket", lambda socket: self.found("outside request", [socket.url]))

    def found(self, kind: str, places: list[str]) -> None:
        """Note faults of one kind."""
        new = dict.fromkeys(Fault(self.page, kind, place) for place in places)
        self.faults += [fault for fault in new if fault not in self.faults]

    def probe(self, name: str, *arguments: object) -> Any:
        """The answer of one of the functions of probes.js."""
        return self.tab.evaluate("([name, ...values]) => probes[name](...values)", [name, *arguments])

    def load(self, url: str | None = None) -> None:
        """Open the page and wait until it is whole."""
        self.tab.goto(url or self.site.url(self.page))
        self.probe("settled")
        self.probe("still")

    def look(self) -> None:
        """All that is to be seen at once."""
        for kind, probe in AT_LOAD.items():
            self.found(kind, self.probe(probe))
        self.look_sideways()

    def look_sideways(self) -> None:
        """What is too wide for a desk."""
        self.found("sideways at 1400 px", self.probe("sideways", MAY_SCROLL))

    def compare(self, note: Note) -> None:
        """Whether all of the note has come here: the alternative texts of its figures, and its solutions, folded."""
        lost = Counter(map(_plain, note.alternative_texts())) - Counter(map(_plain, self.probe("alternativeTexts")))
        self.found("alternative text lost", sorted(lost))
        titles = self.probe("foldTitles")
        unfolded = [title for title in note.folds() if not any(re.match(rf"{title}\b", found) for found in titles)]
        self.found("not folded", unfolded)

    def unfold(self) -> None:
        """Open every fold by the keyboard, as one does who has no mouse."""
        for number in range(self.probe("folds")):
            fold = self.probe("focusFold", number)
            if fold and not fold["open"]:
                self.tab.keyboard.press("Enter")
                if not (fold["focused"] and self.probe("isFoldOpen", number)):
                    self.found("does not open by keyboard", [fold["place"]])
        self.tab.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")

    def audit(self, scheme: str) -> None:
        """The rules of WCAG 2, levels A and AA, with everything unfolded."""
        if not self.tab.evaluate("'axe' in globalThis"):
            self.tab.evaluate(AXE_SCRIPT)
        for violation in self.tab.evaluate("(options) => axe.run(options)", AXE)["violations"]:
            places = [f"{violation['id']}: {' '.join(map(str, node['target']))}" for node in violation["nodes"]]
            self.found(f"accessibility, {scheme}", places)

    def darken(self) -> None:
        """As for a reader whose system is dark."""
        self.tab.emulate_media(color_scheme="dark")
        self.probe("still")
        red, green, blue = map(float, re.findall(r"[\d.]+", self.probe("background"))[:3])
        if max(red, green, blue) > 100:
            self.found("not dark", [f"background rgb({red:.0f}, {green:.0f}, {blue:.0f})"])

    def narrow(self) -> None:
        """As on a phone."""
        self.tab.set_viewport_size(PHONE)
        self.probe("still")
        self.found("sideways at 390 px", self.probe("sideways", MAY_SCROLL_ON_A_PHONE))
        self.tab.set_viewport_size(DESKTOP)

    def read_without_scripts(self) -> None:
        """What is left where scripts do not run: the text, every picture, and folds that open."""
        self.tab.goto(self.site.url(self.page))
        self.tab.evaluate(PROBES.read_text(encoding="utf-8"))
        if (words := self.probe("wordsShown")) < MIN_WORDS:
            self.found("without scripts", [f"{words} words are shown"])
        self.unfold()
        self.found("without scripts, picture not shown", self.probe("imagesNotShown"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "net::ERR" not in message.text:  # failed requests are reported by themselves
            self.found("console error", [message.text])

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(FREE):
            self.found("outside request", [request.url])

    def _on_failure(self, request: Request) -> None:
        if request.url.startswith(FREE) and request.failure not in CANCELLED:
            self.found("failed request", [request.url])


def inspect(site: Site, page: str, browser: Browser, note: Note | None = None) -> tuple[list[Fault], float | None]:
    """Everything that is wrong with a page, and the milliseconds until it first showed something."""
    with context(browser) as profile:
        visit = Visit(site, page, profile.new_page())
        visit.load()
        paint = visit.probe("firstPaint")
        visit.look()
        if note:
            visit.compare(note)
        visit.unfold()
        visit.probe("still")
        visit.look_sideways()
        visit.narrow()
        visit.probe("condense")
        visit.audit("light")
        visit.darken()
        visit.audit("dark")
        return visit.faults, paint
