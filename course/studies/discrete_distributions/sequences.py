"""The multinomial distribution from below: every sequence of n draws, in exact fractions."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import NamedTuple

Counts = tuple[int, ...]


class Cell(NamedTuple):
    """All sequences with the same counts: how many there are, and their probability together."""

    sequences: int
    probability: Fraction


def by_counts(p: Sequence[Fraction], n: int) -> dict[Counts, Cell]:
    """Go through all K^n sequences of n independent draws from p and collect them by their counts."""
    K = len(p)
    if K**n > 10**6:
        raise ValueError(f"{K}^{n} sequences are too many to go through: take fewer draws or categories")
    number: dict[Counts, int] = defaultdict(int)
    probability: dict[Counts, Fraction] = defaultdict(Fraction)
    for sequence in product(range(K), repeat=n):
        counts = tuple(sequence.count(k) for k in range(K))
        number[counts] += 1
        probability[counts] += prod((p[k] for k in sequence), start=Fraction(1))
    return {counts: Cell(number[counts], probability[counts]) for counts in number}


def coefficient(counts: Counts) -> int:
    """n! / (x_1! ... x_K!)."""
    return factorial(sum(counts)) // prod(factorial(x) for x in counts)


def moments(cells: dict[Counts, Cell]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """E[x_k] and Cov[x_k, x_l], as sums over all counts."""
    K = len(next(iter(cells)))
    mean = [sum(cell.probability * x[k] for x, cell in cells.items()) for k in range(K)]
    covariance = [
        [sum(cell.probability * (x[k] - mean[k]) * (x[j] - mean[j]) for x, cell in cells.items()) for j in range(K)]
        for k in range(K)
    ]
    return mean, covariance
