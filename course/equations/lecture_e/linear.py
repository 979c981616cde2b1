"""Equations 1 to 6: linear regression and its assumptions."""

import mpmath
import sympy

from course.equations.calculus import derivative, dot, vector
from course.equations.cases import fractions, regression
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import GRID


def points(rng):
    """d : number of features; x : more points than d, without the constant 1."""
    d = int(rng.integers(1, 4))
    return {"d": d, "x": fractions(rng, d + 3, d)}


@check("E1a", "fractions", points)
def number_of_parameters(d, x):
    meaning = sympy.Matrix([[1, *x_n] for x_n in x]).rank()
    formula = d + 1
    printed = d
    return Erratum(meaning, formula, printed)


@check("E3", "50 digits", regression)
def best_of_a_grid_in_matrix_form(x, y, theta, sigma):
    X, target, rows = mpmath.matrix(x), mpmath.matrix(y), list(zip(x, y, strict=True))
    meaning = min(GRID, key=lambda t: sum((y_n - dot(t, x_n)) ** 2 for x_n, y_n in rows) / len(rows))
    formula = min(GRID, key=lambda t: ((X * mpmath.matrix(t) - target).T * (X * mpmath.matrix(t) - target))[0])
    return Holds(meaning, formula)


@check("E3a", "50 digits", regression)
def normal_equations(x, y, theta, sigma):
    X, target = mpmath.matrix(x), mpmath.matrix(y)
    meaning = vector(mpmath.qr_solve(X, target)[0])
    formula = vector(mpmath.inverse(X.T * X) * X.T * target)
    doubled = mpmath.matrix([[*row, row[1]] for row in x])
    return Conditional(meaning, formula, without=(True, mpmath.det(doubled.T * doubled) > mpmath.mpf("1e-40")))


@check("E6", "differences", regression)
def response_given_the_inputs(x, y, theta, sigma):
    mean, t = dot(theta, x[0]), y[0]
    meaning = derivative(lambda s: mpmath.ncdf((s - mean) / sigma), t)
    formula = 1 / (mpmath.sqrt(2 * mpmath.pi) * sigma) * mpmath.exp(-((t - mean) ** 2) / (2 * sigma**2))
    # With epsilon = x ~ N(0, 1), y <= theta x + x for sure; eq. 6 gives it the probability of N(0, 1) below x.
    return Conditional(meaning, formula, without=(1, mpmath.ncdf(x[0][1])))
