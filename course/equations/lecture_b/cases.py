"""Random cases of lecture B: normal classes, populations of messages, emails with their words."""

from fractions import Fraction
from itertools import product

import numpy as np

from course.equations.cases import distribution, fraction, fractions, probability


def gda(rng: np.random.Generator) -> dict:
    """Five points of two features with classes 0 and 1, and a model: phi, two means, Sigma = root root^T."""
    y = [0, 0, 1, 1, int(rng.integers(0, 2))]
    root = [[fraction(rng, 3, 15), Fraction(0)], [fraction(rng), fraction(rng, 3, 15)]]
    return {"x": fractions(rng, 5, 2), "y": y, "phi": probability(rng), "mu": fractions(rng, 2, 2), "root": root}


def normal_in_three_dimensions(rng: np.random.Generator) -> dict:
    """x : a point; mu : a mean; root : a matrix A with Sigma = A A^T."""
    return {"x": fractions(rng, 3), "mu": fractions(rng, 3), "root": fractions(rng, 3, 3)}


def four_points(rng: np.random.Generator) -> dict:
    """values : four vectors; p : their probabilities."""
    return {"values": fractions(rng, 4, 2), "p": distribution(rng, 4)}


def square(rng: np.random.Generator) -> dict:
    """A : a matrix; a, b : vectors."""
    return {"A": fractions(rng, 3, 3), "a": fractions(rng, 3), "b": fractions(rng, 3)}


def _rows(counts: dict) -> dict:
    rows = [(y, x) for (y, x), count in counts.items() for _ in range(count)]
    return {"rows": [{"y": y, "x": x, **{f"x{j + 1}": each for j, each in enumerate(x)}} for y, x in rows]}


def messages(rng: np.random.Generator) -> dict:
    """A population of messages: class y, three words there or not, x = (x1, x2, x3); every kind is there."""
    return _rows({(y, x): int(rng.integers(1, 4)) for y in (0, 1) for x in product((0, 1), repeat=3)})


def naive_messages(rng: np.random.Generator) -> dict:
    """The same, with the words independent in each class."""
    parts = rng.integers(1, 4, (2, 3, 2))
    counts = {}
    for y, x in product((0, 1), product((0, 1), repeat=3)):
        counts[y, x] = int(np.prod([parts[y, j, x[j]] for j in range(3)]))
    return _rows(counts)


def emails(rng: np.random.Generator) -> dict:
    """x : six emails, three words there or not; y : classes, both there; phi : a model, phi[k][j]; phi_y : p(y = 1)."""
    y = [0, 0, 1, 1, *(int(each) for each in rng.integers(0, 2, 2))]
    x = [[int(each) for each in rng.integers(0, 2, 3)] for _ in y]
    phi = [[probability(rng) for _ in range(3)] for _ in range(2)]
    return {"x": x, "y": y, "phi": phi, "phi_y": probability(rng)}


def values(rng: np.random.Generator) -> dict:
    """z : seven draws from {0, 1, 2}."""
    return {"z": [int(each) for each in rng.integers(0, 3, 7)]}


def rates(rng: np.random.Generator) -> dict:
    """Two classes of counts or of waiting times: phi, a rate for each class, a shape."""
    return {
        "phi": probability(rng),
        "rate": [fraction(rng, 1, 20), fraction(rng, 1, 20)],
        "shape": fraction(rng, 1, 20),
    }
