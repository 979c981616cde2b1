"""Write the ledger of equations: results/equations.json and results/EQUATIONS.md."""

import json
from collections import Counter
from pathlib import Path

from course.equations.entry import ORIGINS, STATUSES, Equation
from course.equations.ledger import LECTURES, equations
from course.equations.sections import derived_in
from course.equations.verify import Verdict, verify
from course.errors import ResultsError
from course.files import write_texts
from course.outline import topics

_MEANING = {
    "definition": "names something; nothing to check",
    "holds": "as printed",
    "condition": "holds under a condition that the lecture does not state, and fails without it",
    "erratum": "fails as printed, holds as corrected",
}


def write(results: Path) -> None:
    """Run every check, and write both files; an error names the checks that did not come out."""
    found = [(equation, verify(equation) if equation.check else None) for equation in equations()]
    if failed := [f"{equation.id} ({verdict.why})" for equation, verdict in found if verdict and not verdict.verified]:
        raise ResultsError(f"equations that did not come out as their status says: {', '.join(failed)}")
    content = {"summary": counts([equation for equation, _ in found]), "equations": [_record(*each) for each in found]}
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_texts({results / "equations.json": text, results / "EQUATIONS.md": page(found)})


def counts(entries: list[Equation]) -> dict[str, int]:
    """How many equations have each status."""
    return {status: Counter(equation.status for equation in entries)[status] for status in STATUSES}


def summary(entries: list[Equation]) -> str:
    """The counts as a small Markdown table."""
    rows = [f"| {status}: {_MEANING[status]} | {count} |" for status, count in counts(entries).items()]
    return "\n".join(["| status | equations |", "|---|---:|", *rows])


def page(found: list[tuple[Equation, Verdict | None]]) -> str:
    """The ledger as a Markdown page, one table a lecture."""
    lines = [
        "# Ledger of equations",
        "",
        "Every displayed formula of the five lectures, in the notation of these notes, with a check that compares it",
        "with what it means. Written by the pipeline. Checks run on eight random cases each, most of them with exact",
        "fractions or 50 digits; the unit tests spoil every formula, part by part, and see its check fail.",
        "",
        "*Printed* means: in our copies. B is a text; A, C, D and E are slides that were converted to text. An erratum",
        "is *certain* where a wrong symbol or word stands in the lecture, or where the lecture goes on with the",
        "slip. It is *possibly lost in conversion* where one small mark is missing or misread in our copy.",
        "",
        summary([equation for equation, _ in found]),
    ]
    for letter, title in LECTURES.items():
        of_lecture = [each for each in found if each[0].id.startswith(letter)]
        lines += ["", f"## {letter}: {title}", ""]
        lines += [
            "| id | place | formula | status | checked by | difference | derived in |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_row(*each) for each in of_lecture]
        noted = [equation for equation, _ in of_lecture if equation.note]
        if noted:
            lines.append("")
            lines += [_note(equation) for equation in noted]
    return "\n".join(lines) + "\n"


# Markdown takes the backslash from a symbol before TeX sees it; these names mean the same, and are left alone.
_NAMES = {r"\{": r"\lbrace ", r"\}": r"\rbrace ", r"\,": r"\thinspace ", r"\;": r"\thickspace ", "*": r"\ast "}


def _math(tex: str) -> str:
    """TeX between dollars, as every Markdown viewer shows it."""
    for symbol, name in _NAMES.items():
        tex = tex.replace(symbol, name)
    return f"${tex.strip()}$"


def _row(equation: Equation, verdict: Verdict | None) -> str:
    section = derived_in(equation)
    link = f"[{section}]({section.note}/notebook.ipynb)"
    status = f"**{equation.status}**" if equation.status == "erratum" else equation.status
    return (
        f"| {equation.id} | {equation.place} | {_math(equation.tex)} | {status} "
        f"| {equation.method or ''} | {_difference(equation, verdict)} | {link} |"
    )


def _difference(equation: Equation, verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    if verdict.discrepancy == 0:
        return "0"
    if equation.method == "simulation":
        return f"{verdict.discrepancy:.1f} standard errors"
    return f"< 1e{len(str(int(1 / verdict.discrepancy))) * -1 + 1}"


def _note(equation: Equation) -> str:
    printed = f" Printed: {_math(equation.printed)}." if equation.printed else ""
    origin = f" *{ORIGINS[equation.origin].capitalize()}*: {equation.evidence}." if equation.origin else ""
    return f"- **{equation.id}**: {equation.note}.{printed}{origin}"


def _record(equation: Equation, verdict: Verdict | None) -> dict:
    return {
        "id": equation.id,
        "lecture": LECTURES[equation.id[0]],
        "place": equation.place,
        "tex": equation.tex,
        "topic": equation.topic,
        "status": equation.status,
        "note": equation.note,
        "printed": equation.printed,
        "origin": equation.origin,
        "evidence": equation.evidence,
        "method": equation.method,
        "check": f"{equation.check.__module__}.{equation.check.__name__}" if equation.check else None,
        "difference": _difference(equation, verdict),
        "difference of what must fail": None if verdict is None or verdict.broken is None else f"{verdict.broken:.1e}",
        "derived in": str(derived_in(equation)),
        "topic treated in": [str(section) for section in topics()[equation.topic].sections],
    }
