"""The six questions, and the errata of the ledger that each of them finds."""

from collections.abc import Mapping

from course.equations import Equation, equations

__all__ = ["FOUND_BY", "QUESTIONS", "counts", "errata"]

QUESTIONS = {
    1: "Does it sum to one?",
    2: "What does the smallest case give?",
    3: "Which way does it move?",
    4: "Is an index free on one side only?",
    5: "Do the units agree?",
    6: "Does the next line follow?",
}
# The first question, in the order in which they are asked, that showed us the error. Some are found by two.
FOUND_BY = {
    1: ("C3b", "C7", "C8b", "E53"),
    2: ("A63", "C35c", "C35d", "C45", "C50"),
    3: ("C4", "C10b", "C11", "C12b", "C38", "C39", "C40", "C42a", "C47", "E15", "E21a"),
    4: ("A40b", "B31c", "B32b", "C9", "C13a", "C23", "E70", "E71"),
    5: ("C27", "E81"),
    6: ("A45b", "C32", "D19a", "E45a", "E68"),
}


def errata() -> dict[str, Equation]:
    """The formulas of the ledger that fail as printed, by their ids."""
    return {equation.id: equation for equation in equations() if equation.status == "erratum"}


def counts(wrong: Mapping[str, Equation]) -> dict[int, dict[str, int]]:
    """For each question, how many of the errata it finds: the lecture's own, and those perhaps lost in conversion."""
    return {
        question: {origin: sum(wrong[key].origin == origin for key in keys) for origin in ("lecture", "conversion")}
        for question, keys in FOUND_BY.items()
    }
