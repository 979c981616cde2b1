"""What an iteration costs, by counting its multiplications."""

from functools import cache
from math import exp, log2

import numpy as np

from course.equations.cases import fixed
from course.equations.entry import Erratum, Holds, check

# Pairs (N, d) along which a cost is followed: twice d with N = d^2, twice d with N = d, twice N with d as it is.
PATHS = {"N = d^2": ((64, 8), (256, 16)), "N = d": ((8, 8), (16, 16)), "d fixed": ((64, 4), (128, 4))}


def order(costs):
    """Exponent with which a cost grows when the size doubles."""
    first, second = costs
    return round(log2(second / first))


class Tally:
    """Multiplies and divides, and counts how often."""

    def __init__(self):
        self.count = 0

    def times(self, a, b):
        """A product."""
        self.count += 1
        return a * b

    def over(self, a, b):
        """A quotient."""
        self.count += 1
        return a / b

    def dot(self, a, b):
        """A sum of products."""
        return sum(self.times(s, t) for s, t in zip(a, b, strict=True))


def example(N, d):
    """Rows, classes and weights; which ones does not matter to a count."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(N, d)).tolist(), rng.integers(0, 2, N).tolist(), rng.normal(size=d).tolist()


def gradient(tally, X, y, theta):
    """X'(y - u), and u."""
    u = [1 / (1 + exp(-tally.dot(row, theta))) for row in X]
    errors = [y_n - u_n for y_n, u_n in zip(y, u, strict=True)]
    return [tally.dot(column, errors) for column in zip(*X, strict=True)], u


def solve(tally, A, b):
    """The x of A x = b, by elimination."""
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    for k, pivot in enumerate(rows):
        for row in rows[k + 1 :]:
            ratio = tally.over(row[k], pivot[k])
            row[k:] = [a - tally.times(ratio, p) for a, p in zip(row[k:], pivot[k:], strict=True)]
    x = []
    for k in reversed(range(len(rows))):
        x.insert(0, tally.over(rows[k][-1] - tally.dot(rows[k][k + 1 : -1], x), rows[k][k]))
    return x


@cache
def multiplications_of_newton(N, d):
    """One step: u, X'(y - u), X'RX, and the d equations for the step."""
    tally, (X, y, theta) = Tally(), example(N, d)
    pull, u = gradient(tally, X, y, theta)
    r = [tally.times(u_n, 1 - u_n) for u_n in u]
    columns = list(zip(*X, strict=True))
    weighted = [[tally.times(r_n, t) for r_n, t in zip(r, column, strict=True)] for column in columns]
    curvature = [[tally.dot(a, b) for b in columns] for a in weighted]
    solve(tally, curvature, pull)
    return tally.count


@cache
def multiplications_of_conjugate_gradients(N, d):
    """One iteration: gradient, direction, and the curvature along it, which gives the length of the step."""
    tally, (X, y, theta) = Tally(), example(N, d)
    pull, u = gradient(tally, X, y, theta)
    share = tally.over(tally.dot(pull, pull), 1.0)
    direction = [g + tally.times(share, p) for g, p in zip(pull, pull, strict=True)]
    r = [tally.times(u_n, 1 - u_n) for u_n in u]
    along = [tally.dot(row, direction) for row in X]
    curvature = tally.dot([tally.times(r_n, a) for r_n, a in zip(r, along, strict=True)], along)
    length = tally.over(tally.dot(pull, direction), curvature)
    for p in direction:
        tally.times(length, p)
    return tally.count


@check("C45", "enumeration", fixed)
def multiplications_of_a_newton_step():
    meaning = {path: order(multiplications_of_newton(*size) for size in sizes) for path, sizes in PATHS.items()}
    formula = {path: order(N * d**2 + d**3 for N, d in sizes) for path, sizes in PATHS.items()}
    printed = {path: order(N + d**3 for N, d in sizes) for path, sizes in PATHS.items()}
    return Erratum(meaning, formula, printed)


@check("C46", "enumeration", fixed)
def multiplications_of_an_iteration_of_conjugate_gradients():
    sizes_of = PATHS.items()
    meaning = {path: order(multiplications_of_conjugate_gradients(*each) for each in sizes) for path, sizes in sizes_of}
    formula = {path: order(N * d for N, d in sizes) for path, sizes in sizes_of}
    return Holds(meaning, formula)
