"""A displayed formula of a lecture, the code that checks it, and what such code gives back."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.equations.cases import precise

METHODS = ("symbolic", "fractions", "50 digits", "differences", "enumeration", "simulation")
STATUSES = ("definition", "holds", "condition", "erratum")
# Whose slip an erratum is: certainly the lecture's, since a wrong symbol or word stands there or the lecture goes on
# with it; or perhaps that of the conversion to text, since one small mark is missing or misread.
ORIGINS = {"lecture": "certain", "conversion": "possibly lost in conversion"}


@dataclass(frozen=True)
class Holds:
    """What the formula claims to be, and the formula: equal.

    meaning : computed from definitions, by another way than the formula.
    formula : the formula of the ledger, in our notation.
    """

    meaning: object
    formula: object


@dataclass(frozen=True)
class Conditional(Holds):
    """A formula that holds under a condition which the lecture does not state.

    without : meaning and formula where the condition fails: they must differ.
    """

    without: tuple[object, object]


@dataclass(frozen=True)
class Erratum(Holds):
    """A formula that is wrong as printed. formula : the corrected form; printed : what the lecture has."""

    printed: object


@dataclass(frozen=True)
class Estimate:
    """A mean found by simulation, with its standard error."""

    value: float
    standard_error: float


@dataclass(frozen=True)
class Equation:
    """One displayed formula.

    id : letter of the lecture and its number there (E15), or a running number; letters for the steps of a chain (A17b).
    place : where the lecture has it.
    tex : the formula in our notation; of an erratum, the corrected one.
    topic : of the course (course.outline).
    status : one of STATUSES.
    method : how it is checked, one of METHODS; None for a definition.
    check : from a random case to Holds, Conditional or Erratum; None for a definition.
    case : from a random generator to the arguments of check.
    note : the condition, what is wrong with the printed form, or what a reader should know of the place.
    printed : of an erratum, the printed form in TeX.
    origin : of an erratum, one of ORIGINS: the lecture's own slip, or perhaps one of its conversion to text.
    evidence : of an erratum, what in the lecture tells its origin.
    """

    id: str
    place: str
    tex: str
    topic: str
    status: str
    method: str | None = None
    check: Callable[..., Holds] | None = None
    case: Callable[..., dict] | None = None
    note: str = ""
    printed: str = ""
    origin: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Check:
    """How an equation is checked: its id, the method, the random cases, and the function that gets one."""

    id: str
    method: str
    case: Callable[..., dict]
    function: Callable[..., Holds]


def check(key: str, method: str, case: Callable[..., dict], **constants: object) -> Callable:
    """Decorate the check of the equation `key`; one function may check several, each with its own `constants`.

    Methods that need numbers of 50 digits get the case with such numbers in place of fractions.
    """
    numbers = precise(case) if method in ("50 digits", "differences") else case

    def with_constants(rng: np.random.Generator) -> dict:
        return {**numbers(rng), **constants}

    def decorate(function: Callable[..., Holds]) -> Callable[..., Holds]:
        function.checks = [Check(key, method, with_constants, function), *getattr(function, "checks", [])]
        return function

    return decorate
