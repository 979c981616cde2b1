"""The tables, in Markdown."""

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.chunks import ROWS, ChunkTiming
from benchmarks.measure import Measurement
from benchmarks.race import ratio


def results_table(measurements: Iterable[Measurement]) -> str:
    """A line for each peer of each row, the fastest first and in bold."""
    header = ("work", "data", "ours", "peer", "ours, time", "peer, time", "peer / ours", "difference", "ours, memory")
    header = (*header, "peer, memory", "rounds")
    return _table(header, (line for measurement in measurements for line in _lines(measurement)), left=4)


def chunks_table(timings: Iterable[ChunkTiming]) -> str:
    """A line for each number of chunks."""
    header = ("chunks", "rows", "ours, time", "peer, time", "difference", "ours, memory", "peer, memory")
    lines = (
        (t.n_chunks, f"{t.n_chunks * ROWS:,}", *map(_time, t.seconds), _number(t.difference), *map(_bytes, t.memory))
        for t in timings
    )
    return _table(header, lines, left=0)


def _lines(measured: Measurement) -> Iterable[Sequence[object]]:
    medians = np.median(measured.times, axis=0)
    by_speed = 1 + np.argsort(medians[1:], kind="stable")
    for place, side in enumerate(by_speed):
        bold = "**" if place == 0 else ""
        r = ratio(measured.times, side)
        ours = (measured.work, measured.data, f"`{measured.sides[0]}`") if place == 0 else ("", "", "")
        yield (
            *ours,
            f"`{measured.sides[side]}`",
            _time(medians[0]),
            _time(medians[side]),
            f"{bold}{r.median:.2f}{bold} ({r.low:.2f} to {r.high:.2f})",
            _number(measured.differences[side - 1]),
            _bytes(measured.memory[0]),
            _bytes(measured.memory[side]),
            len(measured.times),
        )


def _table(header: Sequence[str], lines: Iterable[Sequence[object]], left: int) -> str:
    rule = [":---"] * left + ["---:"] * (len(header) - left)
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in (header, rule, *lines))


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def _number(value: float) -> str:
    return f"{value:.1e}" if value else "0"


def _bytes(count: int | None) -> str:
    return "n/a" if count is None else f"{count / 1e6:,.0f} MB"
