"""The ledger: every published number that the notes redo, beside ours; and, apart, what another library computed.

A number that another library computes in the same run was never published. Agreement with it is a check of our code, not
a reproduction, so that it is neither counted nor shown among the published numbers.
"""

import json
import textwrap
import tomllib
from collections import Counter
from pathlib import Path

from course.errors import ResultsError
from course.files import write_texts

_MEANING = {
    "seen": "read in the publication itself",
    "quoted": "read in another work that quotes it",
    "recalled": "from memory, no source at hand: shown, never relied on",
}
_CHECK = "computed"  # how a number is attested that another library gave in the same run


def conclusions() -> dict[str, str]:
    """What a reader may conclude from each source of published numbers."""
    with Path(__file__).with_name("conclusions.toml").open("rb") as file:
        return tomllib.load(file)


def collect(results: Path) -> list[dict]:
    """All claims of all notebooks, in the order of the notebooks."""
    claims = [
        {**claim, "notebook": file.parent.name}
        for file in sorted(results.glob("*/claims.json"))
        for claim in json.loads(file.read_text(encoding="utf-8"))
    ]
    twice = [claim_id for claim_id, count in Counter(claim["id"] for claim in claims).items() if count > 1]
    if twice:
        raise ResultsError(f"claims recorded by more than one notebook: {', '.join(twice)}")
    return claims


def write(results: Path) -> None:
    """Write results/ledger.json and results/LEDGER.md."""
    claims = collect(results)
    counts = {
        attested: dict(Counter(claim["verdict"] for claim in claims if claim["attested"] == attested))
        for attested in (*_MEANING, _CHECK)
    }
    content = {"summary": counts, "claims": claims}
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_texts({results / "ledger.json": text, results / "LEDGER.md": page(claims)})


def summary(claims: list[dict]) -> str:
    """The counts as a small Markdown table, and a sentence on what other libraries computed."""
    lines = ["| how well attested | agrees | differs, explained | differs |", "|---|---:|---:|---:|"]
    for attested, meaning in _MEANING.items():
        of_kind = [claim for claim in claims if claim["attested"] == attested]
        agrees = sum(claim["verdict"] == "agrees" for claim in of_kind)
        explained = sum(claim["verdict"] == "differs" and bool(claim["because"]) for claim in of_kind)
        lines.append(f"| {attested}: {meaning} | {agrees} | {explained} | {len(of_kind) - agrees - explained} |")
    return "\n".join([*lines, "", checked(claims)])


def checked(claims: list[dict]) -> str:
    """The sentence on what other libraries computed."""
    verdicts = [claim["verdict"] for claim in claims if claim["attested"] == _CHECK]
    agree = verdicts.count("agrees")
    return (
        f"Apart from these, {len(verdicts)} numbers are compared with another library's, computed on the same data in "
        f"the same run: {'all' if agree == len(verdicts) else agree} agree."
    )


def page(claims: list[dict]) -> str:
    """The ledger as a Markdown page, one table a source: published numbers first, then the checks."""
    published = [claim for claim in claims if claim["attested"] != _CHECK]
    lines = [
        "# Ledger of published numbers",
        "",
        "Written by the pipeline from what the notebooks record. A value agrees when it lies within the tolerance",
        "stated beside it; where it does not, the reason, or what is known of it, follows the table.",
        "",
        summary(claims),
        *_tables(published, ["published", "attested"]),
        "",
        "# Checks against other libraries",
        "",
        "Numbers that another library computes in the same run, on the same data. They check our code; nobody published",
        "them.",
        *_tables([claim for claim in claims if claim["attested"] == _CHECK], ["library"]),
    ]
    return "\n".join(lines) + "\n"


def _tables(claims: list[dict], theirs: list[str]) -> list[str]:
    """Lines of one table a source, under what may be concluded from it.

    theirs : heads of the columns on the number that ours is compared with
    """
    concluded = conclusions()
    lines: list[str] = []
    for source in dict.fromkeys(claim["source"] for claim in claims):
        of_source = [claim for claim in claims if claim["source"] == source]
        lines += ["", f"## {source}", ""]
        lines += [*textwrap.wrap(concluded[source], 118), ""] if source in concluded else []
        lines += [f"| quantity | {' | '.join(theirs)} | ours | tolerance | verdict | notebook |"]
        lines += ["|---|---:|" + "---|" * (len(theirs) - 1) + "---:|---:|---|---|"]
        lines += [_row(claim, len(theirs)) for claim in of_source]
        comments = [(claim["quantity"], claim["because"] or claim.get("remark")) for claim in of_source]
        notes = [f"- *{quantity}*: {comment}" for quantity, comment in comments if comment]
        lines += ["", *notes] if notes else []
    return lines


def _row(claim: dict, columns: int) -> str:
    theirs = " | ".join([_cell(claim["published"]), claim["attested"]][:columns])
    tolerance = "exact" if claim["tolerance"] is None else _cell(claim["tolerance"])
    verdict = claim["verdict"] if claim["verdict"] == "agrees" else f"**{claim['verdict']}**"
    link = f"[{claim['notebook']}]({claim['notebook']}/notebook.ipynb)"
    return f"| {_cell(claim['quantity'])} | {theirs} | {_cell(claim['ours'])} | {tolerance} | {verdict} | {link} |"


def _cell(value: float | str) -> str:
    """Text for a cell of a table, in which a bar, as in P(y | x), would end the cell. Millions are counted as such."""
    text = f"{value:,.0f}" if isinstance(value, float) and abs(value) >= 1e6 else str(value)
    return text.replace("|", "\\|")
