"""Estimates by brute force: the best of many candidates, a maximum found by differences, a mean by integrals."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb

import mpmath
import numpy as np
from scipy.optimize import minimize

from course.equations.calculus import gradient, hessian, vector


def candidates(size: int, parts: int) -> Iterator[list[Fraction]]:
    """Every distribution over `size` values whose probabilities are multiples of 1 / parts."""

    def split(left: int, places: int) -> Iterator[list[int]]:
        if places == 1:
            yield [left]
            return
        for first in range(left + 1):
            yield from ([first, *rest] for rest in split(left - first, places - 1))

    yield from ([Fraction(each, parts) for each in counts] for counts in split(parts, size))


def most_likely(size: int, parts: int, likelihood: Callable) -> list[Fraction]:
    """The candidate of the largest likelihood; an error if there are two."""
    ranked = sorted(((likelihood(each), each) for each in candidates(size, parts)), reverse=True)
    if ranked[0][0] == ranked[1][0]:
        raise ValueError(f"two candidates are most likely: {ranked[0][1]} and {ranked[1][1]}")
    return ranked[0][1]


def maximum(f: Callable, start: Sequence) -> list:
    """Where f is largest: a search in floating point, then steps with derivatives by differences.

    The matrix of second derivatives is taken once: near the maximum every step still gains four digits.
    """
    with mpmath.workdps(15):
        found = minimize(lambda point: -float(f(list(point))), np.array(start, dtype=float), method="BFGS", tol=1e-5)
    at = [mpmath.mpf(round(1e4 * each)) / 10**4 for each in found.x]  # the same start on every machine
    H = mpmath.matrix(hessian(f, at))
    for _ in range(6):
        step = mpmath.lu_solve(H, mpmath.matrix(gradient(f, at)))
        at = [a - s for a, s in zip(at, vector(step), strict=True)]
    return at


def posterior_mean(counts: Sequence) -> list[Fraction]:
    """Mean of a distribution given how often each value was seen, if before all distributions were equally plausible.

    Ratio of two integrals of a polynomial over all distributions.
    """
    counts = [int(each) for each in counts]
    whole = _over_all_distributions(counts)
    return [_over_all_distributions([c + (i == k) for i, c in enumerate(counts)]) / whole for k in range(len(counts))]


def _over_all_distributions(powers: Sequence[int]) -> Fraction:
    """Integral of p_1^a_1 ... p_K^a_K: over p_1 = t from 0 to 1, the others share what is left, 1 - t."""
    if len(powers) == 1:
        return Fraction(1)
    first, *others = powers
    left = sum(others) + len(others) - 1
    integral = sum(Fraction((-1) ** k * comb(left, k), first + k + 1) for k in range(left + 1))
    return integral * _over_all_distributions(others)
