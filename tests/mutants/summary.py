"""The score by room: the part that is killed, of the mutants that change a result."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from mutations import Mutation
from outcomes import KILLED, NOT_IMPORTED, SURVIVED, reasons

REASON = "survives for a reason"
HEAD = ("room", "mutants", "tried", "killed", "survive for a reason", "survive", "not imported", "score")


def summary(chosen: Sequence[Mutation], outcome: Callable[[Mutation], str | None], sizes: Mapping[str, int]) -> str:
    """A table in Markdown. `sizes` says how many mutants each room has; where only some were tried, 95 % intervals."""
    counts: dict[str, Counter[str]] = {}
    for each in chosen:
        found = outcome(each)
        if found == SURVIVED and each.key in reasons():
            found = REASON
        counts.setdefault(each.room, Counter())[found or "not tried"] += 1
    rows = [_row(room, sizes[room], count, _score(count, sizes[room])) for room, count in counts.items()]
    rows.append(_row("all", sum(map(sizes.__getitem__, counts)), sum(counts.values(), Counter()), _mean(counts, sizes)))
    return "\n".join("| " + " | ".join(row) + " |" for row in [HEAD, ("---", *["---:"] * 7), *rows])


def _row(room: str, size: int, count: Counter[str], score: str) -> tuple[str, ...]:
    numbers = [size, _tried(count), *(count[each] for each in (KILLED, REASON, SURVIVED, NOT_IMPORTED))]
    return room, *map(str, numbers), score


def _tried(count: Counter[str]) -> int:
    return sum(count.values()) - count["not tried"]


def _score(count: Counter[str], size: int) -> str:
    """With Wilson's interval."""
    k, n, z = count[KILLED], count[KILLED] + count[SURVIVED], 1.96
    if not n:
        return "–"
    if _tried(count) == size:
        return f"{k / n:.1%}"
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return f"{k / n:.1%} ({centre - half:.1%} to {centre + half:.1%})"


def _mean(counts: Mapping[str, Counter[str]], sizes: Mapping[str, int]) -> str:
    """Each room by its number of mutants; variances from two more killed and two more that survive, as for small n."""
    total, mean, variance = 0, 0.0, 0.0
    for room, count in counts.items():
        k, n, size = count[KILLED], count[KILLED] + count[SURVIVED], sizes[room]
        if n:
            p = (k + 2) / (n + 4)
            total, mean = total + size, mean + size * k / n
            variance += size**2 * p * (1 - p) / n * (1 - _tried(count) / size)
    if not total:
        return "–"
    half = 1.96 * math.sqrt(variance) / total
    score = f"{mean / total:.1%}"
    return f"{score} (± {half:.1%})" if half else score
