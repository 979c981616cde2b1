"""The six questions, and the errata of the ledger that each of them finds."""

from collections.abc import Mapping
from typing import Protocol

__all__ = ["FOUND_BY", "QUESTIONS", "counts"]

QUESTIONS = {
    1: "Does it sum to one?",
    2: "What does the smallest case give?",
    3: "Which way does it move?",
    4: "Is an index free on one side only?",
    5: "Do the units agree?",
    6: "Does the next line follow?",
}
# The question under which we found the error easiest to see. Some are found by two.
FOUND_BY = {
    1: ("C3b", "C7", "C8b", "E53"),
    2: ("A63", "C35c", "C35d", "C45", "C50"),
    3: ("C4", "C10b", "C11", "C12b", "C38", "C39", "C40", "C42a", "C47", "E15", "E21a"),
    4: ("A40b", "B31c", "B32b", "C9", "C13a", "C23", "E70", "E71"),
    5: ("C27", "E81"),
    6: ("A45b", "C32", "D19a", "E45a", "E68"),
}


class Erratum(Protocol):
    """A formula that fails as printed; origin : "lecture" or "conversion", whose slip it is."""

    origin: str


def counts(wrong: Mapping[str, Erratum]) -> dict[int, dict[str, int]]:
    """For each question, how many errata we count under it: the lecture's own, and those perhaps lost or misread.

    wrong : the errata of the ledger by their ids.
    """
    return {
        question: {origin: sum(wrong[key].origin == origin for key in keys) for origin in ("lecture", "conversion")}
        for question, keys in FOUND_BY.items()
    }
