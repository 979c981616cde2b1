"""The browser of the tests: the system's Chromium or Chrome, found by name, started without a window.

`python tests/site/browser.py` says which one it is, or what is missing.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Error, sync_playwright

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
MIN_VERSION = 123  # the first with all of the CSS that pages may use: nesting, :has() and light-dark() among it
INSTALL = "on Debian: apt install chromium; on Ubuntu and elsewhere: Google Chrome"
# Neither the browser itself nor a new profile may call home: a request to the outside is one of the page.
ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class BrowserError(Exception):
    """There is no browser that could run the tests; the message says what to install."""


def find() -> str:
    """Path of the browser: the one named by the environment variable CHROMIUM, or the first of NAMES on the PATH."""
    if named := os.environ.get("CHROMIUM"):
        if path := shutil.which(named):
            return path
        raise BrowserError(f"the environment variable CHROMIUM names {named!r}, which is no program here")
    if path := next(filter(None, map(shutil.which, NAMES)), None):
        return path
    raise BrowserError(
        f"the tests of the site need a browser, and none was found (tried {', '.join(NAMES)}). Install Chromium or "
        f"Chrome ({INSTALL}), or name one: make CHROMIUM=/path/to/chrome site-test"
    )


def version(path: str) -> str:
    """What the browser says about itself, as in "Chromium 131.0.6778.85"."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrowserError(f"{path} --version: {error}. Install Chromium or Chrome ({INSTALL})") from error
    said = re.search(r"(?:Chromium|(?:Google )?Chrome)[\w ]* (\d+)\.[\d.]+", answer.stdout)
    if answer.returncode or not said:
        output = (answer.stdout + answer.stderr).strip().partition("\n")[0] or f"exit status {answer.returncode}"
        raise BrowserError(f"{path} is no Chromium that runs ({output}). Install Chromium or Chrome ({INSTALL})")
    if int(said[1]) < MIN_VERSION:
        raise BrowserError(
            f"{path} is {said[0]}, which is too old to show the site: the tests need version {MIN_VERSION} or newer. "
            f"Update it ({INSTALL}), or name another: make CHROMIUM=/path/to/chrome site-test"
        )
    return said[0]


@contextmanager
def started() -> Iterator[Browser]:
    """The browser, running; its profile is a temporary folder."""
    path = find()
    name = version(path)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        except Error as error:
            said = re.search(r"error while loading.*|ERROR:.*", str(error))
            reason = said[0] if said else error.message.partition("\n")[0]
            raise BrowserError(f"{path} ({name}) does not start: {reason}. Install it anew ({INSTALL})") from error
        yield browser
        browser.close()


def main() -> int:
    """Start the browser once, to see that it can be done, and say which one it is."""
    try:
        with started() as browser:
            print(f"{version(find())} ({browser.version}) at {find()}")
    except BrowserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
