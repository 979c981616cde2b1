"""The page of all claims of the notes: with how many other seeds each of them holds."""

from html import escape
from pathlib import Path

from course.form import claims
from course.form.claims import Claim
from course.outline import notes
from course.site import tables
from course.site.errors import SiteError

_ALL, _MOST, _FEWER = "with every seed", "with all but one", "with fewer"
_CLAIM, _FACT = "claim", "fact of one run"
_HEAD = ["claim", "holds for", "kind", "note"]


def page(root: Path) -> str:
    """All claims in one table, after a summary by note."""
    found = {name: claims.claims(root, name) for name in notes() if claims.path(root, name).is_file()}
    if not found:
        raise SiteError("results/claims is missing: write it by `python -m course claims`, or bring it back with git")
    runs = {name: len(claims.table(root, name).seeds) for name in found}
    seeds = sorted(set(runs.values()))
    number = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    rows = [_row(name, claim, runs[name]) for name, each in found.items() for claim in each]
    filters = [
        ("holds", "Holds", [_ALL, _MOST, _FEWER]),
        ("kind", "Kind", [_CLAIM, _FACT]),
        ("note", "Note", [notes()[name].title for name in found]),
    ]
    others = [name for name in notes() if name not in found]
    waiting = [name for name in others if claims.seeds_of(root, name, 1)]
    free = [name for name in others if name not in waiting]
    return f"""\
# Claims with other seeds

Each note checks its own sentences as it runs. But are they true in general, or were they read off one draw? The notes
in this table were run with {number} seeds other than their own, and each of their sentences was judged anew. A *claim*
has to hold for at least {claims.NEEDED} of {claims.SEEDS} seeds. A *fact of one run* is a sentence that the note itself
presents as what came out this time; the table shows with how many seeds it holds.

{tables.summary(("note", "claims", "hold with every seed", "with all but one", "facts of one run"), _counts(found))}

{_listed("Not run with other seeds yet", waiting)}{_listed("Free of chance, and so not in the table", free)}

## All claims

{tables.table("claims", _HEAD, rows, filters)}
"""


def _listed(what: str, names: list[str]) -> str:
    links = (f"[{notes()[name].title}](../{name}/notebook.ipynb)" for name in names)
    return f"{what}: {', '.join(links)}.\n\n" if names else ""


def _counts(found: dict[str, list[Claim]]) -> list[tuple]:
    """The summary: by note, how many of its claims hold how often."""
    rows = []
    for name, each in found.items():
        holds = [_holds(claim) for claim in each if not claim.this_run]
        link = f"[{notes()[name].title}](../{name}/notebook.ipynb)"
        rows.append((link, len(holds), holds.count(_ALL), holds.count(_MOST), len(each) - len(holds)))
    return rows


def _holds(claim: Claim) -> str:
    return {0: _ALL, 1: _MOST}.get(len(claim.fails_with), _FEWER)


def _row(name: str, claim: Claim, runs: int) -> str:
    kind = _FACT if claim.this_run else _CLAIM
    title = notes()[name].title
    values = {
        "holds for": f"{runs - len(claim.fails_with)} of {runs}".replace(" ", "\N{NO-BREAK SPACE}"),
        "kind": kind,
        "note": f'<a href="../notes/{name}.html">{escape(title)}</a>',
    }
    cells = "".join(f'<td><span class="cell-label">{key}: </span>{value}</td>' for key, value in values.items())
    attributes = tables.attributes(holds=_holds(claim), kind=kind, note=title)
    return f'<tr {attributes}><th scope="row">{tables.inline(claim.sentence)}</th>{cells}</tr>'
