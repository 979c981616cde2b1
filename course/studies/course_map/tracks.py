"""The notes as stations in reading order, and tracks from each to those that stand on it, none of which cross."""

from collections.abc import Mapping
from itertools import pairwise

from course.outline import Note

__all__ = ["LANES", "Point", "crossings", "direct", "early", "tracks"]

Point = tuple[float, float]  # lane and row

# The lane of each note, from the left. Naive Bayes on texts and its rivals are on the left, the foundations and what
# stands on logistic regression, note 43, in the middle, regression and duality on the right.
LANES = {
    "10": 3,
    "11": 4,
    "12": 5,
    "13": 5,
    "20": 3,
    "21": 5,
    "22": 2,
    "23": 0,
    "24": 3,
    "25": 5,
    "26": 4,
    "27": 4,
    "30": 5,
    "40": 6,
    "41": 6,
    "42": 6,
    "43": 5,
    "44": 4,
    "45": 4,
    "46": 3,
    "50": 4,
    "51": 4,
    "52": 4,
    "60": 2,
    "61": 1,
    "62": 4,
    "63": 4,
    "64": 5,
    "65": 5,
    "66": 4,
    "67": 4,
    "68": 5,
    "69": 4,
    "70": 7,
    "71": 6,
    "90": 1,
}
# Tracks that stay in the lane they come from as long as they can.
LATE = {("43", "45"), ("43", "50"), ("46", "61"), ("43", "62")}


def direct(notes: Mapping[str, Note]) -> list[tuple[str, str]]:
    """Pairs of a note and one that needs it, without those needs that follow from others."""
    everything = {name: _all_needs(name, notes) for name in notes}
    return [
        (needed, name)
        for name, note in notes.items()
        for needed in note.needs
        if not any(needed in everything[other] for other in note.needs)
    ]


def early(notes: Mapping[str, Note]) -> list[tuple[str, str]]:
    """Pairs of a note and one that needs it and that comes before it in the order of the course."""
    place = {name: number for number, name in enumerate(notes)}
    return [(needed, name) for name, note in notes.items() for needed in note.needs if place[needed] > place[name]]


def tracks(notes: Mapping[str, Note]) -> dict[tuple[str, str], list[Point]]:
    """Corners of the track of each pair that `direct` gives, from the note that is needed to the one that needs it."""
    row = {name: number for number, name in enumerate(notes)}
    return {pair: _corners(*pair, row) for pair in direct(notes)}


def crossings(drawn: Mapping[tuple[str, str], list[Point]]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Pairs of tracks that meet although they have no note in common."""
    every = list(drawn)
    return [
        (one, other)
        for number, one in enumerate(every)
        for other in every[number + 1 :]
        if not set(one) & set(other) and _meet(drawn[one], drawn[other])
    ]


def _corners(start: str, end: str, row: Mapping[str, int]) -> list[Point]:
    a, b = (LANES[start[:2]], row[start]), (LANES[end[:2]], row[end])
    if a[0] == b[0]:
        return [a, b]
    turn = b[1] - 0.5 if (start[:2], end[:2]) in LATE else a[1] + 0.5
    return [a, (a[0], turn), (b[0], turn), b]


def _meet(one: list[Point], other: list[Point]) -> bool:
    return any(_touch(a, b, c, d) for a, b in pairwise(one) for c, d in pairwise(other))


def _touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments along the axes have a point in common."""
    return all(
        max(min(a[axis], b[axis]), min(c[axis], d[axis])) <= min(max(a[axis], b[axis]), max(c[axis], d[axis]))
        for axis in (0, 1)
    )


def _all_needs(name: str, notes: Mapping[str, Note]) -> set[str]:
    found: set[str] = set()
    waiting = [*notes[name].needs]
    while waiting:
        needed = waiting.pop()
        if needed not in found:
            found.add(needed)
            waiting += notes[needed].needs
    return found
