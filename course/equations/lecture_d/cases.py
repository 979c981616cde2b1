"""Random cases of lecture D: counts of words, naive Bayes with two classes, weights and scores."""

from fractions import Fraction

import numpy as np

from course.equations.cases import distribution, fraction, fractions, probability


def generator(rng: np.random.Generator) -> dict:
    """theta, and p(x | y) of two classes and three values; a seed for draws."""
    return {"theta": probability(rng), "p": [distribution(rng, 3) for _ in range(2)], "seed": int(rng.integers(2**32))}


def histograms(rng: np.random.Generator) -> dict:
    """Two distributions pi and rho of three words; two histograms x and other of five words each."""
    x, other = ([int(each) for each in rng.multinomial(5, [1 / 3] * 3)] for _ in range(2))
    return {"pi": distribution(rng, 3), "rho": distribution(rng, 3), "x": x, "other": other}


def documents(rng: np.random.Generator) -> dict:
    """x : counts of three words in four documents, each word there in both classes; y : 1, 0 and two more.

    pi : three positive numbers that need not sum to 1; lam : a positive number.
    """
    x = [[int(each) for each in rng.integers(1, 5, 3)] for _ in range(2)]
    x += [[int(each) for each in rng.integers(0, 5, 3)] for _ in range(2)]
    pi = [fraction(rng, 1, 7, 8) for _ in range(3)]
    return {"x": x, "y": [1, 0, *(int(each) for each in rng.integers(0, 2, 2))], "pi": pi, "lam": fraction(rng, 1, 60)}


def naive_bayes(rng: np.random.Generator) -> dict:
    """theta; pi[y], the distribution of three words in class y; x, a histogram of four words."""
    x = [int(each) for each in rng.multinomial(4, [1 / 3] * 3)]
    return {"theta": probability(rng), "pi": [distribution(rng, 3) for _ in range(2)], "x": x}


def scores(rng: np.random.Generator) -> dict:
    """x : four rows of two features; y : both classes; w, w0, a step eta. No probability is near 0."""
    y = [1, 0, *(int(each) for each in rng.integers(0, 2, 2))]
    x = [[fraction(rng, over=10) for _ in range(2)] for _ in y]
    w = [fraction(rng, over=20) for _ in range(2)]
    return {"x": x, "y": y, "w": w, "w0": fraction(rng, over=20), "eta": probability(rng)}


def many_classes(rng: np.random.Generator) -> dict:
    """w : a vector for each of two classes; x : a point."""
    return {"w": fractions(rng, 2, 3), "x": [Fraction(1), *fractions(rng, 2)]}
