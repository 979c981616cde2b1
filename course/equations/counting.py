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
    inside = _with(rows, given or {})
    return Fraction(len(_with(inside, event)), len(inside))


def _with(rows: list[dict], event: dict) -> list[dict]:
    for name, value in event.items():
        rows = [row for row in rows if row[name] == value]
    return rows


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
    wanted = [n for n, count in enumerate(x) for _ in range(int(count))]
    return sum(prod(beta[n] for n in words) for words in sequences if sorted(words) == wanted)


def joint_of_class_and_tally(pi: Sequence, beta: Sequence, length: int) -> dict:
    """Probability of each class and counts: every story (a class, then words one by one) adds its own."""
    found: dict = {}
    for j, words in product(range(len(pi)), product(range(len(beta[0])), repeat=length)):
        key = j, tally(words, len(beta[0]))
        found[key] = found.get(key, 0) + pi[j] * prod(beta[j][n] for n in words)
    return found
