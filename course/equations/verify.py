"""Check an equation on random cases: what holds must hold in all, what is wrong must fail in one at least."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import numpy as np

from course.equations.compare import TOLERANCE, discrepancy
from course.equations.entry import Conditional, Equation, Erratum, Holds

CASES = {"symbolic": 1, "simulation": 1}  # of a method; all others have EIGHT
EIGHT = 8
TYPES = {"holds": Holds, "condition": Conditional, "erratum": Erratum}


@dataclass(frozen=True)
class Verdict:
    """What became of a check.

    verified : the check came out as the status says.
    discrepancy : largest difference between meaning and formula over the cases.
    broken : largest difference of what must fail: the printed form of an erratum, a case without the condition.
    why : what went wrong, if not verified.
    """

    verified: bool
    discrepancy: float
    broken: float | None = None
    why: str = ""


def verify(equation: Equation, check: Callable[..., Holds] | None = None) -> Verdict:
    """Run the check of an equation, or another check in its place (the tests try spoilt ones)."""
    check = check or equation.check
    rng = np.random.default_rng(zlib.crc32(equation.id.encode()))
    tolerance = TOLERANCE[equation.method]
    largest, broken = 0.0, None
    with mpmath.workdps(50):
        for _ in range(CASES.get(equation.method, EIGHT)):
            found = check(**equation.case(rng))
            if type(found) is not TYPES[equation.status]:
                return Verdict(False, largest, broken, f"{type(found).__name__} for the status {equation.status}")
            largest = max(largest, discrepancy(found.meaning, found.formula))
            if largest > tolerance:
                return Verdict(False, largest, broken, f"a difference of {largest:.1e}, more than {tolerance:.0e}")
            if isinstance(found, Erratum):
                broken = max(broken or 0.0, discrepancy(found.meaning, found.printed))
            if isinstance(found, Conditional):
                broken = max(broken or 0.0, discrepancy(*found.without))
    if broken is not None and broken <= max(tolerance, 1e-6):
        return Verdict(False, largest, broken, "what should fail does not")
    return Verdict(True, largest, broken)
