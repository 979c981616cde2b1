"""Do two groups use the same words? All words tested together, by Pearson's statistic and by counting."""

from collections import defaultdict
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import ArrayLike


def statistic(table: ArrayLike) -> float:
    """Pearson's sum of (count - expected)² / expected over a table of shape (2, K), with the given margins."""
    return float(sum(_shares(*_margins(table))))


def at_least_as_uneven(table: ArrayLike) -> tuple[int, int]:
    """How many choices of the first group's words from all words give at least this statistic, and of how many.

    table : counts of K words in two groups, shape (2, K). Every occurrence of a word counts as distinct, so that all
    choices are equally probable if the group makes no difference. Words are added one at a time; choices with the
    same number so far and the same part of the statistic, an exact fraction, are counted together.
    """
    first, both, size, total = _margins(table)
    observed = sum(_shares(first, both, size, total))
    ways: dict[tuple[int, Fraction], int] = {(0, Fraction(0)): 1}
    for k in both:
        longer: dict[tuple[int, Fraction], int] = defaultdict(int)
        for (taken, value), number in ways.items():
            for x in range(min(k, size - taken) + 1):
                longer[taken + x, value + _share(x, k, size, total)] += number * comb(k, x)
        ways = longer
    return sum(n for (taken, value), n in ways.items() if taken == size and value >= observed), comb(total, size)


def _margins(table: ArrayLike) -> tuple[list[int], list[int], int, int]:
    """Counts of the words in the first group and in both groups; number of words in the first group and in both."""
    counts = np.asarray(table)
    if counts.ndim != 2 or len(counts) != 2 or counts.sum(axis=0).min() == 0 or counts.sum(axis=1).min() == 0:
        raise ValueError(f"expected a table of two groups and of words that occur, received\n{counts}")
    first, both = counts[0].tolist(), counts.sum(axis=0).tolist()
    return first, both, sum(first), sum(both)


def _shares(first: list[int], both: list[int], size: int, total: int) -> list[Fraction]:
    return [_share(x, k, size, total) for x, k in zip(first, both, strict=True)]


def _share(x: int, k: int, size: int, total: int) -> Fraction:
    """What a word contributes to the statistic that occurs x times in the first group and k times in both."""
    away = Fraction(x * total - k * size, total)  # x minus its expectation; in the other group it is the opposite
    return away**2 * (Fraction(total, k * size) + Fraction(total, k * (total - size)))
