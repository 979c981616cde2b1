"""The search of the site finds a note and leads to it, from the disk as from a server.

Without this, it could break where browsers allow less, on pages opened from the disk, and all pages would still pass.
"""

from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from fault import listed
from visit import Visit, context

TERM, PAGE = "Laplace smoothing", "notes/21-smoothing.html"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """A folder from a server on this machine; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextmanager
def address(site, scheme):
    if scheme == "http":
        with served(site.root) as url:
            yield url
    else:
        yield site.root.as_uri()


def search(visit, base, term):
    """Addresses of the pages that are found, by a reader who types the term on the front page."""
    visit.load(f"{base}/index.html")
    tab = visit.tab
    tab.locator(".search-button:visible, .search-button__button:visible").first.click()
    tab.locator("input[type=search]:visible").first.fill(term)
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html*")
    tab.locator("#search-results li a, #search-results p.search-summary:has-text('did not match')").first.wait_for()
    return tab.eval_on_selector_all("#search-results li a", "links => links.map(link => link.href)")


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_search_finds_a_note(site, browser, scheme):
    with address(site, scheme) as base, context(browser) as profile:
        visit = Visit(site, "search.html", profile.new_page())
        found = search(visit, base, TERM)
        assert any(link.startswith(f"{base}/{PAGE}") for link in found), found
        visit.tab.locator("#search-results li a").first.click()
        visit.tab.locator("article h1").wait_for()
        visit.probe("settled")
        if visit.faults:
            pytest.fail(listed(visit.faults), pytrace=False)
