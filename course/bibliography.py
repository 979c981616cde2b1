"""The bibliography: the works that notes cite by key, and citations as links that every viewer shows."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from course.errors import CitationError

FILE = Path(__file__).with_suffix(".bib")
KEY = r"[a-z]+(?:-[a-z]+)*\d{4}[a-z]?"  # surname and year: ng2002
_WRITTEN = re.compile(r"\[@(?P<key>[^\]\s]*)\]?")  # [@ng2002]
# [Ng & Jordan (2002)](address "ng2002: title")
_EXPANDED = re.compile(rf'\[[^\]\[]*\]\(\s*[^\s)]+\s+"(?P<key>{KEY}): [^"]*"\s*\)')


@dataclass(frozen=True)
class Work:
    """A work of the bibliography.

    authors : names as they are read, given name first
    surnames : of the authors, in the same order
    venue : where it was published: journal with volume and pages, proceedings, or publisher; and what there is to say
    link : DOI as an address, or else the address that the bibliography has
    """

    key: str
    authors: tuple[str, ...]
    surnames: tuple[str, ...]
    title: str
    year: str
    venue: str
    link: str

    @property
    def label(self) -> str:
        """Authors and year: Ng & Jordan (2002), Rennie et al. (2003)."""
        names = " & ".join(self.surnames) if len(self.surnames) < 3 else f"{self.surnames[0]} et al."
        return f"{names} ({self.year})"

    @property
    def citation(self) -> str:
        """The work as a Markdown link. Its tooltip, which begins with the key, has the title."""
        title = self.title.replace('"', "'")
        return f'[{self.label}]({self.link} "{self.key}: {title}")'

    @property
    def reference(self) -> str:
        """The work as a list of references has it, in Markdown."""
        *others, last = self.authors
        authors = f"{', '.join(others)} & {last}" if others else last
        return f"{authors} ({self.year}). [{self.title}]({self.link}). {self.venue}."


@cache
def works(file: Path = FILE) -> Mapping[str, Work]:
    """All works of a BibTeX file by their keys, in its order."""
    from pybtex.database import parse_string
    from pybtex.exceptions import PybtexError

    try:
        entries = parse_string(file.read_text(encoding="utf-8"), "bibtex").entries
    except (PybtexError, OSError, UnicodeDecodeError) as error:
        raise CitationError(f"{file.name} cannot be read: {error}") from None
    return {key: _work(key, entry, file.name) for key, entry in entries.items()}


def cite(text: str, known: Mapping[str, Work]) -> tuple[str, list[str]]:
    """Markdown with its citations as links, and what is wrong with those that are not.

    `[@ng2002]` becomes a link. One that is a link already is written anew, as the bibliography now has the work.
    """
    problems = []

    def link(found: re.Match[str]) -> str:
        key = found["key"]
        if key in known:
            return known[key].citation
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"add it to {FILE.name}"
        problems.append(f"{key!r} is no key of the bibliography: {hint}")
        return found[0]

    def written(found: re.Match[str]) -> str:
        if not re.fullmatch(rf"\[@{KEY}\]", found[0]):
            line = text[found.start() :].partition("\n")[0][:40]
            problems.append(f"{line!r} is no citation: write [@key], one key in each pair of brackets")
            return found[0]
        return link(found)

    return _EXPANDED.sub(link, _WRITTEN.sub(written, text)), problems


def _work(key: str, entry: "pybtex.database.Entry", file: str) -> Work:  # noqa: F821  imported where it is needed
    from pybtex.richtext import Text

    def plain(latex: str) -> str:
        return str(Text.from_latex(latex))

    fields = {name: plain(value) for name, value in entry.fields.items() if name not in ("doi", "url")}
    persons = entry.persons.get("author", [])
    missing = [name for name in ("title", "year") if not fields.get(name, "").strip()]
    missing += [] if persons else ["author"]
    missing += [] if entry.fields.get("doi") or entry.fields.get("url") else ["doi or url"]
    if missing:
        raise CitationError(f"{file}: {key} has no {' and no '.join(missing)}")
    if not re.fullmatch(KEY, key):
        raise CitationError(f"{file}: {key} is no key: write the first author's surname and the year, as ng2002")
    given = [person.first_names + person.middle_names for person in persons]
    surnames = [plain(" ".join(person.prelast_names + person.last_names)) for person in persons]
    names = [" ".join([*map(plain, first), last]) for first, last in zip(given, surnames, strict=True)]
    doi = entry.fields.get("doi")
    link = f"https://doi.org/{quote(doi, safe='/:;.')}" if doi else entry.fields["url"]
    if not re.fullmatch(r"https?://[^\s()<>\"]+", link):
        raise CitationError(f"{file}: {link!r} of {key} is no address that can stand in Markdown")
    return Work(key, tuple(names), tuple(surnames), fields["title"], fields["year"], _venue(fields), link)


def _venue(fields: Mapping[str, str]) -> str:
    """Where a work was published, as far as its entry says."""
    place = fields.get("journal") or fields.get("booktitle")
    publisher = fields.get("publisher") or fields.get("institution")
    volume = fields.get("volume", "") + (f"({fields['number']})" if "volume" in fields and "number" in fields else "")
    edition = f"{fields['edition']} edition" if "edition" in fields else None
    parts = [f"*{place}*" if place else None, volume or None, fields.get("pages"), edition, publisher]
    return ". ".join(filter(None, [", ".join(part for part in parts if part), fields.get("note")]))
