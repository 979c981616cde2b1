"""Probabilities by counting: a small population, and all sequences of words."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

VALUES = list(product((0, 1), repeat=2))  # of two binary features


def people(classes: int) -> object:
    """Case of a population. rows : each has a class y and two binary features x = (x1, x2); every kind is there."""

    def case(rng: np.random.Generator) -> dict:
        kinds = [(y, x) for y in range(classes) for x in VALUES]
        more = [kinds[int(each)] for each in rng.integers(0, len(kinds), 12)]
        return {"rows": [{"y": y, "x": x, "x1": x[0], "x2": x[1]} for y, x in kinds + more]}

    return case


def share(rows: list[dict], event: dict, given: dict | None = None) -> Fraction:
    """Part of the rows with `given` that have `event` too."""
    inside = [row for row in rows if _has(row, given or {})]
    return Fraction(sum(_has(row, event) for row in inside), len(inside))


def _has(row: dict, event: dict) -> bool:
    return all(row[name] == value for name, value in event.items())


def argmax(values: Sequence) -> int:
    """Place of the largest, the first of equals."""
    return max(range(len(values)), key=lambda i: values[i])


def normalised(weights: Sequence) -> list:
    """Weights divided by their sum."""
    return [each / sum(weights) for each in weights]


def tally(words: Sequence[int], size: int) -> tuple[Fraction, ...]:
    """How often each of the words 0, ..., size - 1 is there."""
    return tuple(Fraction(words.count(n)) for n in range(size))


def tallies(length: int, size: int) -> list[tuple[Fraction, ...]]:
    """All counts of `size` words in a document of the given length."""
    return sorted({tally(words, size) for words in product(range(size), repeat=length)})


def probability_of_tally(x: Sequence, beta: Sequence) -> object:
    """Sum over all sequences of words with counts x, each the product of the probabilities of its words."""
    length = int(sum(x))
    sequences: Iterator = product(range(len(beta)), repeat=length)
    return sum(prod(beta[n] for n in words) for words in sequences if tally(words, len(beta)) == tuple(x))


def joint_of_class_and_tally(pi: Sequence, beta: Sequence, length: int) -> dict:
    """Probability of each class and counts: every story (a class, then words one by one) adds its own."""
    found: dict = {}
    for j, words in product(range(len(pi)), product(range(len(beta[0])), repeat=length)):
        key = j, tally(words, len(beta[0]))
        found[key] = found.get(key, 0) + pi[j] * prod(beta[j][n] for n in words)
    return found
