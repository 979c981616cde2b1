"""Random cases for the checks: small data sets and parameters, as exact fractions or numbers of 50 digits.

Each function takes a random generator and gives the arguments of a check by name. Numbers are fractions of small
integers, so that exact checks stay exact; `precise` makes 50-digit numbers of them.
"""

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np


def precise(case: Callable[..., dict]) -> Callable[..., dict]:
    """The same case with numbers of 50 digits in place of fractions (integers stay integers)."""

    def convert(value: object) -> object:
        if isinstance(value, Fraction):
            return mpmath.mpf(value.numerator) / value.denominator
        return [convert(each) for each in value] if isinstance(value, list) else value

    return lambda rng: {name: convert(value) for name, value in case(rng).items()}


def fraction(rng: np.random.Generator, low: int = -20, high: int = 20, over: int = 7) -> Fraction:
    """A fraction between low / over and high / over, never 0."""
    numerator = 0
    while numerator == 0:
        numerator = int(rng.integers(low, high + 1))
    return Fraction(numerator, over)


def fractions(rng: np.random.Generator, *shape: int) -> list:
    """A list of fractions, or lists of lists."""
    if len(shape) == 1:
        return [fraction(rng) for _ in range(shape[0])]
    return [fractions(rng, *shape[1:]) for _ in range(shape[0])]


def probability(rng: np.random.Generator) -> Fraction:
    """A probability that is neither 0 nor 1."""
    return Fraction(int(rng.integers(1, 13)), 13)


def distribution(rng: np.random.Generator, size: int) -> list[Fraction]:
    """Positive probabilities that sum to 1."""
    weights = [int(each) for each in rng.integers(1, 12, size)]
    return [Fraction(each, sum(weights)) for each in weights]


def fixed(rng: np.random.Generator) -> dict:
    """An example with numbers of its own: nothing to choose."""
    return {}


def coin(rng: np.random.Generator) -> dict:
    """phi : the probability of 1."""
    return {"phi": probability(rng)}


def regression(rng: np.random.Generator) -> dict:
    """x : five rows of three features, the first 1; y : five responses; theta : three weights; sigma : positive."""
    x = [[Fraction(1), *fractions(rng, 2)] for _ in range(5)]
    return {"x": x, "y": fractions(rng, 5), "theta": fractions(rng, 3), "sigma": fraction(rng, 3, 20)}


def two_classes(rng: np.random.Generator) -> dict:
    """x : six rows of three features, the first 1; y : classes 0 and 1, both there; theta : three weights."""
    y = [0, 1, *(int(each) for each in rng.integers(0, 2, 4))]
    return {"x": [[Fraction(1), *fractions(rng, 2)] for _ in y], "y": y, "theta": fractions(rng, 3)}


def documents(rng: np.random.Generator) -> dict:
    """x : counts of four words in six documents; y : classes 0 and 1, both there; no word or class without counts."""
    y = [0, 1, *(int(each) for each in rng.integers(0, 2, 4))]
    return {"x": [[int(each) for each in rng.integers(0, 5, 3)] + [1] for _ in y], "y": y}


def joint(rng: np.random.Generator, classes: int = 3, values: int = 4) -> dict:
    """p : a joint distribution p[y][x] in exact fractions."""
    flat = distribution(rng, classes * values)
    return {"p": [flat[k * values : (k + 1) * values] for k in range(classes)]}
