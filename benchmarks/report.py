"""The tables, in Markdown, and what is counted of them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from benchmarks.chunks import ROWS, ChunkTiming
from benchmarks.measure import Measurement, Timed
from benchmarks.row import AUTO

OF_A_TASK = ("ours", "best peer", "peer / ours", "difference")
SIDES = ("row", "who", "time", "time / ours", "difference", "memory")
AUTOMATIC = ("row", "auto", "best of ours", "auto / best", "the others")
CHUNKS = ("chunks", "rows", "ours, time", "peer, time", "difference", "ours, memory", "peer, memory")
Rows = Mapping[str, Measurement]


class Verdict(Enum):
    """What a row says: the range of the ratio, from the 10 % to the 90 % quantile, is above 1, below, or holds it."""

    AHEAD = "ahead"
    BEHIND = "behind"
    NEITHER = "neither"


def peers(rows: Rows) -> dict[str, Measurement]:
    """Rows beside others: not those of our own solvers, nor those without a peer."""
    return {name: row for name, row in rows.items() if row.family != AUTO and len(row.sides) > 1}


def best(row: Measurement) -> Timed | None:
    """The fastest peer; None if all were stopped."""
    timed = [side for side in row.sides[1:] if side.seconds is not None]
    return min(timed, key=lambda side: side.seconds or 0.0, default=None)


def verdict(row: Measurement) -> Verdict:
    """Peers that were all stopped are behind."""
    fastest = best(row)
    if fastest is None or fastest.ratio is None or fastest.ratio.low > 1:
        return Verdict.AHEAD
    return Verdict.BEHIND if fastest.ratio.high < 1 else Verdict.NEITHER


def with_verdict(rows: Rows, which: Verdict) -> dict[str, Measurement]:
    """Rows beside others that say so."""
    return {name: row for name, row in peers(rows).items() if verdict(row) is which}


def problem(name: str, row: Measurement) -> str:
    """The name of a row without its task."""
    return name.removesuffix(f"-{row.task}")


def families(rows: Rows) -> list[str]:
    """In their order."""
    return list(dict.fromkeys(row.family for row in peers(rows).values()))


def tasks(rows: Rows, family: str) -> list[str]:
    """What is done with the models of a family."""
    return list(dict.fromkeys(row.task for row in peers(rows).values() if row.family == family))


def by_problem(rows: Rows, family: str) -> dict[str, dict[str, Measurement]]:
    """Rows of a family: by problem, then by task."""
    found: dict[str, dict[str, Measurement]] = {}
    for name, row in peers(rows).items():
        if row.family == family:
            found.setdefault(problem(name, row), {})[row.task] = row
    return found


def family_table(rows: Rows, family: str) -> str:
    """A line for each problem: ours beside the best peer, task by task."""
    done = tasks(rows, family)
    head = ["problem", *(f"{task}: {column}" for task in done for column in OF_A_TASK)]
    lines = []
    for name, of in by_problem(rows, family).items():
        row = next(iter(of.values()))
        cells = [_of_a_task(of[task]) if task in of else ("",) * len(OF_A_TASK) for task in done]
        lines.append(_line((f"`{name}`: {row.work}; {row.data}", *(cell for each in cells for cell in each))))
    return "\n".join([*_header(head, left=1), *lines])


def sides_table(rows: Rows, family: str) -> str:
    """A line for each side of each row, the fastest peer first, and last who was not timed, and why."""
    lines = []
    for name, row in peers(rows).items():
        if row.family == family:
            timed = [side for side in row.sides[1:] if side.seconds is not None]
            rest = [side for side in row.sides[1:] if side.seconds is None]
            sides = (row.sides[0], *sorted(timed, key=lambda each: each.seconds or 0.0), *rest)
            lines += [_line((f"`{name}`" if at == 0 else "", *_side(side))) for at, side in enumerate(sides)]
    return "\n".join([*_header(SIDES, left=2), *lines])


def behind_list(rows: Rows) -> str:
    """Where the fastest peer is faster, the worst first."""
    found = with_verdict(rows, Verdict.BEHIND)
    ratios = {name: side.ratio for name, row in found.items() if (side := best(row)) and side.ratio}
    lines = [
        f"- `{name}`: {ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f}), {short(side.name)}"
        for name, ratio in sorted(ratios.items(), key=lambda item: item[1].median)
        if (side := best(found[name]))
    ]
    return "\n".join(lines) or "- none"


def automatic_table(rows: Rows) -> str:
    """A line for each problem: "auto" beside the best of our solvers."""
    lines = []
    for name, row in rows.items():
        if row.family == AUTO:
            auto, fastest = row.sides[0], best(row)
            if fastest and fastest.ratio:
                low, median, high = (1 / each for each in (fastest.ratio.high, fastest.ratio.median, fastest.ratio.low))
                compared = f"**{median:.2f}** ({low:.2f} to {high:.2f})"
            else:
                compared = ""
            others = ", ".join(_multiple(side) for side in row.sides[1:] if side is not fastest)
            what = f"`{problem(name, row)}`: {row.work}; {row.data}"
            lines.append(_line((what, _time(auto.seconds), _who_and_when(fastest), compared, others)))
    return "\n".join([*_header(AUTOMATIC, left=1), *lines])


def chunks_table(timings: Iterable[ChunkTiming]) -> str:
    """A line for each number of chunks."""
    lines = [
        _line(
            (
                t.n_chunks,
                f"{t.n_chunks * ROWS:,}",
                *map(_time, t.seconds),
                _number(t.difference),
                *map(_bytes, t.memory),
            )
        )
        for t in timings
    ]
    return "\n".join([*_header(CHUNKS, left=0), *lines])


def short(name: str) -> str:
    """Package and solver of a side."""
    package = re.search(r"\w+", name)
    solver = re.search(r"solver='([^']+)'|dual=(\w+)", name)
    detail = "" if solver is None else f" {solver[1] or ('dual' if solver[2] == 'True' else 'primal')}"
    return f"{package[0] if package else name}{detail}"


def _of_a_task(row: Measurement) -> Sequence[str]:
    ours, fastest = row.sides[0], best(row)
    mine = f"{_time(ours.seconds)}, {_bytes(ours.memory)}"
    if fastest is None or fastest.ratio is None:
        return mine, f"none: {row.sides[1].why_not}", "", ""
    theirs = f"{short(fastest.name)}: {_time(fastest.seconds)}, {_bytes(fastest.memory)}"
    r = fastest.ratio
    return mine, theirs, f"**{r.median:.2f}** ({r.low:.2f} to {r.high:.2f})", _number(fastest.difference)


def _side(side: Timed) -> Sequence[str]:
    name = f"`{side.name}`"
    if side.seconds is None:
        return name, side.why_not, "", "", ""
    if side.ratio is None:
        return name, _time(side.seconds), "", "", _bytes(side.memory)
    r = side.ratio
    compared = f"{r.median:.2f} ({r.low:.2f} to {r.high:.2f})"
    return name, _time(side.seconds), compared, _number(side.difference), _bytes(side.memory)


def _multiple(side: Timed) -> str:
    return f"{short(side.name)} {side.ratio.median:.3g} ×" if side.ratio else f"{short(side.name)} {side.why_not}"


def _who_and_when(side: Timed | None) -> str:
    return f"{short(side.name)}: {_time(side.seconds)}" if side else ""


def _header(names: Sequence[str], left: int) -> list[str]:
    return [_line(names), _line([":---"] * left + ["---:"] * (len(names) - left))]


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def _number(value: float | None) -> str:
    return f"{value:.1e}" if value else "0"


def _bytes(count: int | None) -> str:
    return "n/a" if count is None else f"{count / 1e6:,.0f} MB"
