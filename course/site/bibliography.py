"""The page of the bibliography: every work, and the notes that cite it."""

import re
from collections.abc import Mapping

from course.bibliography import KEY, works
from course.outline import MAP, notes

_CITED = re.compile(rf'\]\(\s*[^\s)]+\s+"(?P<key>{KEY}): ')


def page(texts: Mapping[str, str]) -> str:
    """texts : the Markdown of each note, by its name."""
    citing: dict[str, list[str]] = {}
    for name, text in texts.items():
        for key in dict.fromkeys(_CITED.findall(text)):
            citing.setdefault(key, []).append(name)
    lines = [
        "# Bibliography",
        "",
        "The works that the notes cite, and the notes that cite each of them.",
        "",
    ]
    for work in sorted(works().values(), key=lambda work: (work.surnames[0].casefold(), work.year, work.key)):
        lines += [f"({work.key})=", "", "{.work}", work.reference + _cited_in(citing.get(work.key, [])), ""]
    return "\n".join(lines)


def _cited_in(names: list[str]) -> str:
    if not names:
        return ""
    titles = (f"[{notes()[name].title if name != MAP else 'A map of the course'}](site:notes/{name})" for name in names)
    return f" *Cited in* {', '.join(titles)}."
