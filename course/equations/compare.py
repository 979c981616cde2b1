"""How far two sides of an equation are apart: exact numbers, 50 digits, SymPy expressions, simulated means."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import mpmath
import numpy as np
import sympy

from course.equations.entry import Estimate

# Largest difference that counts as equal, relative to the larger side (but at least 1).
TOLERANCE = {
    "symbolic": 0.0,
    "fractions": 0.0,
    "enumeration": 1e-40,
    "50 digits": 1e-40,
    "differences": 1e-20,
    "simulation": 4.0,  # standard errors
}


def discrepancy(left: object, right: object, least: float = 1) -> float:
    """Largest difference of two sides, relative to the larger of `least` and their size; infinite if shapes differ."""
    if isinstance(left, Estimate) or isinstance(right, Estimate):
        return _in_standard_errors(left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        if left.keys() != right.keys():
            return float("inf")
        return max((discrepancy(left[key], right[key], least) for key in left), default=0.0)
    if _is_sequence(left) or _is_sequence(right):
        if not (_is_sequence(left) and _is_sequence(right) and len(left) == len(right)):
            return float("inf")
        return max((discrepancy(a, b, least) for a, b in zip(left, right, strict=True)), default=0.0)
    if isinstance(left, bool | np.bool_ | str) or isinstance(right, bool | np.bool_ | str):
        return float(left != right)
    if isinstance(left, sympy.Basic) or isinstance(right, sympy.Basic):
        return _symbolic(left, right)
    return _of_numbers(left, right, least)


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray | mpmath.matrix | sympy.MatrixBase) and not isinstance(value, str)


def _of_numbers(left: object, right: object, least: float) -> float:
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return float(abs(left - right) / max(least, abs(left), abs(right)))
    left, right = (mpmath.mpmathify(side) if not isinstance(side, Fraction) else _mpf(side) for side in (left, right))
    if left == right:
        return 0.0
    if not (mpmath.isfinite(left) and mpmath.isfinite(right)):
        return float("inf")
    return float(abs(left - right) / max(least, abs(left), abs(right)))


def _mpf(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def _symbolic(left: object, right: object) -> float:
    difference = sympy.simplify(sympy.sympify(left) - sympy.sympify(right))
    return 0.0 if difference == 0 else 1.0


def _in_standard_errors(left: object, right: object) -> float:
    estimate, value = (left, right) if isinstance(left, Estimate) else (right, left)
    return float(abs(estimate.value - float(value)) / estimate.standard_error)
