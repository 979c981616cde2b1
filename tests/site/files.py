"""The site as files: its pages, and whether what they refer to is there. Needs no browser."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fault import Fault

# Schemes of what is not fetched, or only when the reader asks for it by a click.
BY_CLICK = {"http", "https", "mailto"}
CONTACTS = {"preconnect", "dns-prefetch", "preload", "prefetch", "modulepreload", "stylesheet", "icon", "manifest"}
FETCHED = {"src", "poster", "data", "srcset"}


class References(HTMLParser):
    """The anchors of a page, and what it refers to: line, whether the browser fetches it by itself, and the address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.repeated: set[str] = set()
        self.references: list[tuple[int, bool, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if anchor := values.get("id"):
            if anchor in self.anchors:
                self.repeated.add(anchor)
            self.anchors.add(anchor)
        if tag == "a" and "name" in values:
            self.anchors.add(values["name"])
        line = self.getpos()[0]
        if "href" in values:
            fetched = tag == "link" and bool(CONTACTS & set(values.get("rel", "").split()))
            if tag in ("a", "area") or fetched:
                self.references.append((line, fetched, values["href"]))
        for name in FETCHED & values.keys():
            if tag == "object" or name != "data":
                addresses = values[name].split(",") if name == "srcset" else [values[name]]
                self.references += [(line, True, address.split()[0]) for address in addresses if address.strip()]


class Site:
    """A built site.

    pages : paths of its pages, relative to its folder
    old_addresses : pages that only lead on to another
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        found = sorted(path.relative_to(self.root) for path in self.root.rglob("*.html"))
        every = [path.as_posix() for path in found if not path.parts[0].startswith("_static")]
        self.old_addresses = [page for page in every if self._leads_on(page)]
        self.pages = [page for page in every if page not in self.old_addresses]

    def _leads_on(self, page: str) -> bool:
        with (self.root / page).open(encoding="utf-8") as file:
            return 'http-equiv="refresh"' in file.read(500)

    def url(self, page: str) -> str:
        """Address of a page on this disk."""
        return (self.root / page).as_uri()

    def pages_with(self, text: str) -> list[str]:
        """Pages whose source holds a text."""
        return [page for page in self.pages if text in (self.root / page).read_text(encoding="utf-8")]

    @cache  # noqa: B019  a site lives as long as the tests
    def references(self, page: str) -> References:
        """What a page refers to."""
        return References((self.root / page).read_text(encoding="utf-8"))

    def size(self) -> int:
        """Bytes of all files together."""
        return sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file())

    def broken(self, page: str) -> Iterator[Fault]:
        """References of a page that lead nowhere, or to the outside unasked, and anchors that are there twice."""
        here = self.references(page)
        yield from (Fault(page, "repeated anchor", anchor) for anchor in sorted(here.repeated))
        for line, fetched, reference in here.references:
            place = f"line {line}: {reference}"
            address = urlsplit(reference)
            if address.scheme in BY_CLICK or address.netloc:
                if fetched:
                    yield Fault(page, "outside reference", place)
                continue
            if address.scheme in ("data", "blob", "javascript"):
                continue
            if address.scheme:
                yield Fault(page, "broken link", place)
                continue
            target = (self.root / page).parent / unquote(address.path) if address.path else self.root / page
            target = target.resolve()
            if not target.is_relative_to(self.root):
                yield Fault(page, "link out of the site", place)
            elif not target.is_file():
                yield Fault(page, "broken link", place)
            elif anchor := unquote(address.fragment):
                other = target.relative_to(self.root).as_posix()
                if other in self.pages and anchor not in self.references(other).anchors:
                    yield Fault(page, "broken anchor", place)


def differences(one: Path, other: Path) -> list[str]:
    """Files that are in one folder only, or not the same bytes in both."""
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}

    def content(path: Path) -> bytes | None:
        return path.read_bytes() if path.is_file() else None

    return [name.as_posix() for name in sorted(names) if content(one / name) != content(other / name)]
