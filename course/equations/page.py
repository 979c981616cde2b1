"""Write the ledger of equations: results/equations.json and results/EQUATIONS.md."""

import json
from collections import Counter
from pathlib import Path

from course.equations import library
from course.equations.counterpart import TOLERANCE, Counterpart, file_of, largest_difference
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


Code = dict[str, list[Counterpart]]


def write(results: Path) -> None:
    """Run every check and comparison, and write both files; an error names those that did not come out."""
    entries = equations()
    found = [(equation, verify(equation) if equation.check else None) for equation in entries]
    if failed := [f"{equation.id} ({verdict.why})" for equation, verdict in found if verdict and not verdict.verified]:
        raise ResultsError(f"equations that did not come out as their status says: {', '.join(failed)}")
    code = library.counterparts(entries)
    if apart := [
        f"{equation.id} and {counterpart.name} ({difference:.1e})"
        for equation in entries
        for counterpart in code[equation.id]
        if not (difference := largest_difference(equation, counterpart)) <= TOLERANCE
    ]:
        raise ResultsError(f"formulas that the library computes otherwise: {', '.join(apart)}")
    content = {
        "summary": counts(entries),
        "library": library.counts(entries, code),
        "equations": [_record(*each, code) for each in found],
    }
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_texts({results / "equations.json": text, results / "EQUATIONS.md": page(found, code)})


def counts(entries: list[Equation]) -> dict[str, int]:
    """How many equations have each status."""
    return {status: Counter(equation.status for equation in entries)[status] for status in STATUSES}


def summary(entries: list[Equation]) -> str:
    """The counts as a small Markdown table."""
    rows = [f"| {status}: {_MEANING[status]} | {count} |" for status, count in counts(entries).items()]
    return "\n".join(["| status | equations |", "|---|---:|", *rows])


def page(found: list[tuple[Equation, Verdict | None]], code: Code) -> str:
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
        "",
        *_library([equation for equation, _ in found], code),
    ]
    for letter, title in LECTURES.items():
        of_lecture = [each for each in found if each[0].id.startswith(letter)]
        lines += ["", f"## {letter}: {title}", ""]
        lines += [
            "| id | place | formula | status | checked by | difference | compared with | derived in |",
            "|---|---|---|---|---|---|---|---|",
        ]
        lines += [_row(*each, code) for each in of_lecture]
        noted = [equation for equation, _ in of_lecture if equation.note]
        if noted:
            lines.append("")
            lines += [_note(equation) for equation in noted]
    return "\n".join(lines) + "\n"


def _library(entries: list[Equation], code: Code) -> list[str]:
    """How many equations of each lecture are compared with the library, and why others are not."""
    of_lecture = library.counts(entries, code)
    compared, all_of_them = sum(each["compared"] for each in of_lecture.values()), len(entries)
    reasons = sorted(
        {reason for each in of_lecture.values() for reason in each if reason not in ("compared", "definition")}
    )
    rows = ["compared", "definition", *reasons]
    return [
        "## The formulas and the library",
        "",
        f"{compared} of the {all_of_them} formulas are also compared with what the library computes on the same random",
        "cases, to eleven digits (near 0, to 1e-15): the column *compared with* has the public name. The formula is",
        "that of the check; of a definition, the definition itself. The unit tests spoil the library's functions, too,",
        "and for each of the names a comparison notices. Where there is nothing to compare with, the column says why.",
        "",
        f"| compared, or why not | {' | '.join(of_lecture)} |",
        "|---" + "|---:" * len(of_lecture) + "|",
        *(f"| {row} | {' | '.join(str(each.get(row, 0)) for each in of_lecture.values())} |" for row in rows),
    ]


def _compared(equation: Equation, code: Code) -> str:
    """Names of the library, each with a link to its file, or why there is none."""
    links = [f"[`{each.name}`](../{file_of(each.name)})" for each in code[equation.id]]
    return ", ".join(links) or library.reason_for_none(equation)


# Markdown takes the backslash from a symbol before TeX sees it; these names mean the same, and are left alone.
_NAMES = {r"\{": r"\lbrace ", r"\}": r"\rbrace ", r"\,": r"\thinspace ", r"\;": r"\thickspace ", "*": r"\ast "}


def _math(tex: str) -> str:
    """TeX between dollars, as every Markdown viewer shows it."""
    for symbol, name in _NAMES.items():
        tex = tex.replace(symbol, name)
    return f"${tex.strip()}$"


def _row(equation: Equation, verdict: Verdict | None, code: Code) -> str:
    section = derived_in(equation)
    link = f"[{section}]({section.note}/notebook.ipynb)"
    status = f"**{equation.status}**" if equation.status == "erratum" else equation.status
    return (
        f"| {equation.id} | {equation.place} | {_math(equation.tex)} | {status} "
        f"| {equation.method or ''} | {_difference(equation, verdict)} | {_compared(equation, code)} | {link} |"
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


def _record(equation: Equation, verdict: Verdict | None, code: Code) -> dict:
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
        "code": [each.name for each in code[equation.id]],
        "no code": None if code[equation.id] else library.reason_for_none(equation),
        "derived in": str(derived_in(equation)),
        "topic treated in": [str(section) for section in topics()[equation.topic].sections],
    }
