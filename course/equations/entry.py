"""An entry of the ledger of equations: a displayed formula of a lecture, and the code that checks it."""

from collections.abc import Callable
from dataclasses import dataclass

METHODS = ("symbolic", "fractions", "50 digits", "differences", "enumeration", "simulation")
STATUSES = ("definition", "holds", "condition", "erratum")


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


class Lecture:
    """Collects the equations of one lecture, in the order in which a file lists them."""

    def __init__(self, letter: str) -> None:
        self.letter = letter
        self.equations: list[Equation] = []

    def definition(self, key: str, place: str, tex: str, topic: str, note: str = "") -> None:
        """A formula that names something. There is nothing to check."""
        self._add(Equation(key, place, tex, topic, "definition", note=note))

    def holds(
        self, key: str, place: str, tex: str, topic: str, note: str = "", *, method: str, case: Callable[..., dict]
    ) -> Callable:
        """Decorate the check of a formula that holds as printed."""
        return self._decorator(Equation(key, place, tex, topic, "holds", method, case=case, note=note))

    def condition(
        self, key: str, place: str, tex: str, topic: str, note: str, *, method: str, case: Callable[..., dict]
    ) -> Callable:
        """Decorate the check of a formula that holds under the condition in `note`."""
        return self._decorator(Equation(key, place, tex, topic, "condition", method, case=case, note=note))

    def erratum(
        self, key: str, place: str, tex: str, topic: str, note: str, *, printed: str, method: str, case: Callable
    ) -> Callable:
        """Decorate the check of a formula that is wrong as printed: `note` says how, `tex` corrects it."""
        return self._decorator(Equation(key, place, tex, topic, "erratum", method, None, case, note, printed))

    def _decorator(self, equation: Equation) -> Callable:
        def decorate(check: Callable[..., Holds]) -> Callable[..., Holds]:
            self._add(Equation(**{**equation.__dict__, "check": check}))
            return check

        return decorate

    def _add(self, equation: Equation) -> None:
        if not equation.id.startswith(self.letter):
            raise ValueError(
                f"equation {equation.id!r} is not of lecture {self.letter}: begin its id with {self.letter}"
            )
        self.equations.append(equation)
