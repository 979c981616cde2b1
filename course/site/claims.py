"""The page of all claims of the notes: with how many other seeds each of them holds."""

from html import escape
from pathlib import Path

from course.form import claims
from course.form.claims import Claim, Table
from course.outline import notes
from course.site import tables
from course.site.errors import SiteError

_ALL, _MOST, _FEWER = "with every seed", "with all but one", "with fewer"
_CLAIM, _FACT = "claim", "fact of one run"
_HEAD = ["claim", "holds for", "kind", "note"]


def page(root: Path) -> str:
    """All claims in one table, after a summary by note."""
    tables = {name: claims.table(root, name) for name in notes() if claims.path(root, name).is_file()}
    if not tables:
        raise SiteError("results/claims is missing: write it by `python -m course claims`, or bring it back with git")
    seeds = sorted({len(each.runs) for each in tables.values()})
    number = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    rows = [_row(name, claim, table) for name, table in tables.items() for claim in table.claims]
    filters = [
        ("holds", "Holds", [_ALL, _MOST, _FEWER]),
        ("kind", "Kind", [_CLAIM, _FACT]),
        ("note", "Note", [notes()[name].title for name in tables]),
    ]
    free = [f"[{note.title}](../{name}/notebook.ipynb)" for name, note in notes().items() if name not in tables]
    return f"""\
# Claims with other seeds

What a note says in words, it asserts as it runs. Is it true in general, or was it read off one draw? Every note that
uses random numbers was run with {number} seeds other than its own, and each of its sentences was judged anew. A *claim*
has to hold for at least {claims.NEEDED} of {claims.SEEDS} seeds. A *fact of one run* is a sentence that the note itself
presents as what came out this time; the table shows how often it would have come out otherwise.

{tables.summary(("note", "claims", "hold with every seed", "with all but one", "facts of one run"), _counts(tables))}

Free of chance, and not in the table: {", ".join(free)}.

## All claims

{tables.table("claims", _HEAD, rows, filters)}
"""


def _counts(tables: dict[str, Table]) -> list[tuple]:
    """The summary: by note, how many of its claims hold how often."""
    rows = []
    for name, table in tables.items():
        unmarked = [each for each in table.claims if not each.this_run]
        holds = [_holds(each) for each in unmarked]
        facts = len(table.claims) - len(unmarked)
        link = f"[{notes()[name].title}](../{name}/notebook.ipynb)"
        rows.append((link, len(unmarked), holds.count(_ALL), holds.count(_MOST), facts))
    return rows


def _holds(claim: Claim) -> str:
    missed = len(claim.fails_with) + len(claim.missing_with)
    return (_ALL, _MOST)[missed] if missed < 2 else _FEWER


def _row(name: str, claim: Claim, table: Table) -> str:
    kind = _FACT if claim.this_run else _CLAIM
    number = len(table.runs)
    held = number - len(claim.fails_with) - len(claim.missing_with)
    title = notes()[name].title
    data = tables.attributes(holds=_holds(claim), kind=kind, note=title)
    values = {
        "holds for": f"{held} of {number}",
        "kind": kind,
        "note": f'<a href="../notes/{name}.html">{escape(title)}</a>',
    }
    cells = "".join(f'<td><span class="cell-label">{key}: </span>{value}</td>' for key, value in values.items())
    return f'<tr {data}><th scope="row">{tables.inline(claim.sentence)}</th>{cells}</tr>'
