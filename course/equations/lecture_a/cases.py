"""Random cases of lecture A: a model of short documents, a corpus, a few weights, a problem with constraints."""

from fractions import Fraction

import numpy as np

from course.equations.cases import distribution, fraction, fractions, two_classes


def categorical(rng: np.random.Generator) -> dict:
    """p : probabilities of three values; n : four trials."""
    return {"p": distribution(rng, 3), "n": 4}


def text_model(rng: np.random.Generator) -> dict:
    """pi : probabilities of three classes; beta : probabilities of three words in each."""
    return {"pi": distribution(rng, 3), "beta": [distribution(rng, 3) for _ in range(3)]}


def corpus(rng: np.random.Generator) -> dict:
    """Five documents of two or three words out of three, their classes 0 and 1, both there; pi and beta of a model."""
    y = [0, 1, *(int(each) for each in rng.integers(0, 2, 3))]
    words = [[int(each) for each in rng.integers(0, 3, rng.integers(2, 4))] for _ in y]
    return {"words": words, "y": y, "pi": distribution(rng, 2), "beta": [distribution(rng, 3) for _ in range(2)]}


def gentle(rng: np.random.Generator) -> dict:
    """Two classes, one feature and the constant, small weights: no probability is near 0 or 1."""
    case = two_classes(rng)
    return {"x": [row[:2] for row in case["x"]], "y": case["y"], "theta": [each / 5 for each in case["theta"][:2]]}


def many_classes(rng: np.random.Generator) -> dict:
    """x : three features; vectors : a vector of weights for each of four classes."""
    return {"x": fractions(rng, 3), "vectors": fractions(rng, 4, 3)}


def number(rng: np.random.Generator) -> dict:
    """z : one number."""
    return {"z": fraction(rng)}


def normal(rng: np.random.Generator) -> dict:
    """y : a value; mu : a mean."""
    return {"y": fraction(rng), "mu": fraction(rng)}


def projection(rng: np.random.Generator) -> dict:
    """The point nearest to (a, b) on the line p w1 + q w2 = c, where w1 is at most d."""
    a, b, p, q, c, d = fractions(rng, 6)
    return {"a": a, "b": b, "p": p, "q": q, "c": c, "d": d}


def constraints(rng: np.random.Generator) -> dict:
    """Values f(w), h(w) and g(w) at eight points w; a third of the h and g are 0."""
    values = [[int(rng.integers(-3, 4)), int(rng.integers(-1, 2)), int(rng.integers(-1, 2))] for _ in range(7)]
    return {"points": [[Fraction(each) for each in point] for point in [[4, 0, -1], *values]]}


def two_points(rng: np.random.Generator) -> dict:
    """A problem with two points: one cheaper but not allowed (g > 0), the other allowed (g < 0)."""
    cheap = fraction(rng, -9, 0)
    return {"f": [cheap, cheap + fraction(rng, 1, 9)], "g": [fraction(rng, 1, 9), -fraction(rng, 1, 9)]}
