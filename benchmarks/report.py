"""The tables, in Markdown."""

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.chunks import ROWS, ChunkTiming
from benchmarks.measure import Measurement
from benchmarks.race import ratio

RESULTS = ("work", "data", "ours", "peer", "ours, time", "peer, time", "peer / ours", "difference", "ours, memory")
RESULTS = (*RESULTS, "peer, memory", "rounds")
CHUNKS = ("chunks", "rows", "ours, time", "peer, time", "difference", "ours, memory", "peer, memory")


def results_table(lines: Iterable[str]) -> str:
    """The lines of all rows with their header."""
    return "\n".join([*_header(RESULTS, left=4), *lines])


def chunks_table(lines: Iterable[str]) -> str:
    """The lines of all numbers of chunks with their header."""
    return "\n".join([*_header(CHUNKS, left=0), *lines])


def result_lines(measured: Measurement) -> list[str]:
    """A line for each peer of a row, the fastest first and in bold."""
    return [_line(cells) for cells in _cells(measured)]


def chunk_lines(timings: Iterable[ChunkTiming]) -> list[str]:
    """A line for each number of chunks."""
    return [
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


def _cells(measured: Measurement) -> Iterable[Sequence[object]]:
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


def _header(names: Sequence[str], left: int) -> list[str]:
    return [_line(names), _line([":---"] * left + ["---:"] * (len(names) - left))]


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def _number(value: float) -> str:
    return f"{value:.1e}" if value else "0"


def _bytes(count: int | None) -> str:
    return "n/a" if count is None else f"{count / 1e6:,.0f} MB"
