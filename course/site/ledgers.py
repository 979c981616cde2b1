"""The two ledgers as pages: one table each, which a script can filter and which reads without it."""

import json
from collections import Counter
from html import escape
from pathlib import Path

from course.equations.entry import ORIGINS
from course.outline import notes, topics
from course.results.ledger import conclusions
from course.site import source, tables
from course.site.errors import SiteError

_STATUS = {
    "definition": "names something; nothing to check",
    "holds": "as printed",
    "condition": "holds under a condition that the lecture does not state, and fails without it",
    "erratum": "fails as printed, holds as corrected",
}
_ATTESTED = {
    "seen": "read in the publication itself",
    "quoted": "read in another work that quotes it",
    "recalled": "from memory, no source at hand: shown, never relied on",
}
_COMPARED = "compared"
_CHECK = "computed"  # by another library in the same run
_HEAD = ["quantity", "published", "attested", "ours", "tolerance", "verdict", "note"]
_CHECK_HEAD = ["quantity", "library", "ours", "tolerance", "verdict", "note"]
_VERDICTS = ["agrees", "differs, explained", "differs, not explained"]


def equations(root: Path) -> str:
    """The page of the ledger of equations."""
    content = _read(root / "results/equations.json", "equations")
    entries = content["equations"]
    compared = {letter: each["compared"] for letter, each in content["library"].items()}
    of_library = tables.summary(
        ("compared, or why not", *content["library"]),
        [(what, *(each.get(what, 0) for each in content["library"].values())) for what in _compared_or_not(entries)],
    )
    head = ["id", "formula", "status", "checked by", "compared with", "derived in"]
    rows = [_equation(root, each) for each in entries]
    filters = [
        ("status", "Status", list(content["summary"])),
        ("topic", "Topic", [topic.title for topic in topics().values()]),
        ("note", "Note", _titles({each["derived in"].partition(",")[0] for each in entries})),
        ("lecture", "Lecture", list(dict.fromkeys(each["lecture"] for each in entries))),
        ("code", "Library", _compared_or_not(entries)),
    ]
    summary = tables.summary(
        ("status", "equations"), [(f"**{s}**: {_STATUS[s]}", n) for s, n in content["summary"].items()]
    )
    return f"""\
# Ledger of equations

Every displayed formula of the five lectures that the notes follow, in the notation of the notes, with a check that
compares the formula with what it means. Checks run on eight random cases each, most of them with exact fractions or 50
digits. Each check links to its code, and each formula to the section that derives it.

{summary}

*Printed* means in our copies of the lectures. B is a text; A, C, D and E are slides that were converted to text. An
erratum is *certain* where a wrong symbol or word stands in the lecture, or where the lecture goes on with the slip. It
is marked *possibly lost in conversion* where one small mark is missing or misread in our copy.

## The formulas and the library

{sum(compared.values())} of the {len(entries)} formulas are also compared, by name, with what the library computes on
the same random cases: to eleven digits, and near 0 to 1e-15. The unit tests change signs, factors and powers in the
library, and for each of the names some formula notices. Where there is nothing to compare with, the table says why.

{of_library}

## All equations

{tables.table("equations", head, rows, filters)}
"""


def _compared_or_not(entries: list[dict]) -> list[str]:
    """Compared with the library, a definition that is not, and why there is nothing to compare other formulas with."""
    reasons = {each["no code"] for each in entries if each["no code"]}
    return [_COMPARED, "definition", *sorted(reasons - {"definition"})]


def _code(root: Path, each: dict) -> str:
    """Names of the library, which may be broken between words, each with a link to its source; or why there is none."""
    if not each["code"]:
        return f'<span class="small">{escape(each["no code"])}</span>'
    links = []
    for name in each["code"]:
        _, room, public = name.split(".", 2)  # an attribute of fitted models is found at its class
        at = (source.of_object(root, f"probml.{room}", each) for each in (public, public.partition(".")[0]))
        found = next(filter(None, at), None)
        text = f"<code>{escape(public).replace('.', '.<wbr>').replace('_', '_<wbr>')}</code>"
        links.append(f'<a href="../{found}">{text}</a>' if found else text)
    return "<br>".join(links)


def published_numbers(root: Path) -> str:
    """The page of the ledger of published numbers."""
    content = _read(root / "results/ledger.json", "ledger")
    claims = [each for each in content["claims"] if each["attested"] != _CHECK]
    checks = [each for each in content["claims"] if each["attested"] == _CHECK]
    verdict = ("verdict", "Verdict", _VERDICTS)
    attested = ("attested", "Attested", list(_ATTESTED))
    counts = []
    for kind, meaning in _ATTESTED.items():
        of_kind = Counter(_verdict(claim) for claim in claims if claim["attested"] == kind)
        counts.append((f"**{kind}**: {meaning}", *(of_kind[each] for each in _VERDICTS)))
    summary = tables.summary(("how well attested", *_VERDICTS), counts)
    concluded = "\n".join(f"- **{source}.** {conclusion}" for source, conclusion in conclusions().items())
    numbers = tables.table(
        "published numbers", _HEAD, [_claim(each) for each in claims], [verdict, attested, *_places(claims)]
    )
    return f"""\
# Ledger of published numbers

Every published number that the notes redo, beside ours. A value agrees when it lies within the tolerance stated beside
it; where it does not, the reason, or what is known of it, stands below the numbers.

{summary}

## What may be concluded

{concluded}

## All published numbers

{numbers}

## Checks against other libraries

{len(checks)} numbers that another library computes on the same data, in the same run. They check our code; nobody
published them.

{tables.table("checks", _CHECK_HEAD, [_claim(each) for each in checks], [verdict, *_places(checks)])}
"""


def _places(claims: list[dict]) -> list[tuple[str, str, list[str]]]:
    """The filters by note and by source."""
    return [
        ("note", "Note", _titles({each["notebook"] for each in claims})),
        ("source", "Source", list(dict.fromkeys(each["source"] for each in claims))),
    ]


def entries(root: Path) -> dict[str, dict[tuple[str, str], int]]:
    """Of each note, how many entries each ledger has: by page and by what they are."""
    derived = Counter(
        each["derived in"].partition(",")[0]
        for each in _read(root / "results/equations.json", "equations")["equations"]
    )
    claims = _read(root / "results/ledger.json", "ledger")["claims"]
    redone = Counter(each["notebook"] for each in claims if each["attested"] != _CHECK)
    return {
        name: {
            ("ledgers/equations", "formulas of the lectures"): derived[name],
            ("ledgers/published-numbers", "published numbers"): redone[name],
        }
        for name in notes()
    }


def _equation(root: Path, each: dict) -> str:
    note, _, section = each["derived in"].partition(", section ")
    remark = f'<p class="remark">{tables.inline(each["note"])}.</p>' if each["note"] else ""
    if each["printed"]:
        remark += f'<div class="remark scroll-x" data-label="Formula">Printed: {tables.math(each["printed"])}</div>'
        remark += f'<p class="remark">{ORIGINS[each["origin"]].capitalize()}: {tables.inline(each["evidence"])}.</p>'
    check = each["method"] or ""
    if each["check"]:
        module, _, function = each["check"].rpartition(".")
        if found := source.address(root, f"{module.replace('.', '/')}.py", "", function):
            check = f'<a href="../{found}">{escape(check)}</a>'
        if each["difference"] not in ("", "0"):
            check += f'<br><span class="small">difference {escape(each["difference"])}</span>'
    data = tables.attributes(
        status=each["status"],
        topic=topics()[each["topic"]].title,
        note=_title(note),
        lecture=each["lecture"],
        code=each["no code"] or _COMPARED,
    )
    link = f'<a href="../notes/{note}.html#section-{section}">{escape(_title(note))}, section {section}</a>'
    return (
        f'<tr id="{each["id"]}" {data}><th scope="row"><a href="#{each["id"]}">{each["id"]}</a></th>'
        f'<td><div class="formula scroll-x" data-label="Formula">{tables.math(each["tex"])}</div>{remark}'
        f'<p class="small">{tables.inline(each["place"])}</p></td>'
        f'<td><span class="status status-{each["status"]}">{each["status"]}</span></td>'
        f"<td>{check}</td><td>{_code(root, each)}</td><td>{link}</td></tr>"
    )


def _verdict(claim: dict) -> str:
    """Whether a number agrees, or differs for a reason that is known."""
    if claim["verdict"] == "agrees":
        return "agrees"
    return "differs, explained" if claim["because"] else "differs, not explained"


def _claim(each: dict) -> str:
    """A row, and a second one with the reason, or the remark, across all columns."""
    is_check = each["attested"] == _CHECK
    verdict = _verdict(each)
    values = {
        "library" if is_check else "published": _number(each["published"]),
        **({} if is_check else {"attested": each["attested"]}),
        "ours": _number(each["ours"]),
        "tolerance": "exact" if each["tolerance"] is None else _number(each["tolerance"]),
        "verdict": f'<span class="status status-{each["verdict"]}">{verdict}</span>',
        "note": f'<a href="../notes/{each["notebook"]}.html">{escape(_title(each["notebook"]))}</a>',
    }
    cells = "".join(f'<td><span class="cell-label">{name}: </span>{value}</td>' for name, value in values.items())
    data = tables.attributes(
        verdict=verdict, attested=each["attested"], note=_title(each["notebook"]), source=each["source"]
    )
    row = (
        f'<tr id="{each["id"]}" {data}><th scope="row">{escape(each["quantity"])}'
        f'<p class="small">{escape(each["source"])}</p></th>{cells}</tr>'
    )
    comment = each["because"] or each.get("remark", "")
    if not comment:
        return row
    below = (
        f'<tr class="below"><td colspan="{1 + len(values)}"><p class="remark">{tables.inline(comment)}</p></td></tr>'
    )
    return row.replace("<tr ", '<tr class="above" ', 1) + below


def _number(value: float | str) -> str:
    text = f"{value:,.0f}" if isinstance(value, float) and abs(value) >= 1e6 else str(value)
    return escape(text)


def _title(name: str) -> str:
    return notes()[name].title if name in notes() else name


def _titles(names: set[str]) -> list[str]:
    return [note.title for name, note in notes().items() if name in names]


def _read(path: Path, command: str) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SiteError(
            f"results/{path.name} is missing: write it by `python -m course {command}`, or bring it back with git "
            "checkout"
        ) from None
    except ValueError as error:
        raise SiteError(f"results/{path.name} is not valid JSON ({error}): bring it back with git checkout") from None
