"""Equations 1 to 15: linear regression, its assumptions and its likelihood."""

from itertools import product
from math import prod

import mpmath
import sympy

from course.equations.calculus import derivative, dot, gradient, total, vector
from course.equations.cases import fractions, joint, probability, regression
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import GRID, bernoulli, normal_density, normal_mean


def points(rng):
    """d : number of features; x : more points than d, without the constant 1."""
    d = int(rng.integers(1, 4))
    return {"d": d, "x": fractions(rng, d + 3, d)}


@check("E1a", "fractions", points)
def number_of_parameters(d, x):
    with_constant = sympy.Matrix([[1, *x_n[1:]] for x_n in x]).rank()  # the constant is one of the d
    formula = d
    beside = sympy.Matrix([[1, *x_n] for x_n in x]).rank()
    return Conditional(with_constant, formula, without=(beside, d))


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


@check("E8", "fractions", joint)
def likelihood_of_two_examples(p):
    classes, values = range(len(p)), range(len(p[0]))
    of_x = [sum(p[y][x] for y in classes) for x in values]
    given = [[p[y][x] / of_x[x] for x in values] for y in classes]
    both = list(product(classes, values, repeat=2))
    # All pairs of examples: what share of those with these two inputs has these two labels?
    meaning = [p[y][x] * p[z][v] / sum(p[k][x] * p[j][v] for k, j in product(classes, repeat=2)) for y, x, z, v in both]
    formula = [given[y][x] * given[z][v] for y, x, z, v in both]
    return Conditional(meaning, formula, without=([p[y][x] * p[z][v] for y, x, z, v in both], formula))


def two_parameters(rng):
    """a, b : two probabilities of 1; y : five outcomes."""
    return {"a": probability(rng), "b": probability(rng), "y": [int(each) for each in rng.integers(0, 2, 5)]}


@check("E8a", "fractions", two_parameters)
def logarithm_keeps_the_order(a, b, y):
    likelihood_a, likelihood_b = (prod(bernoulli(each, theta) for each in y) for theta in (a, b))
    log_a, log_b = (total([mpmath.log(bernoulli(each, theta)) for each in y]) for theta in (a, b))
    meaning = likelihood_a <= likelihood_b
    formula = log_a <= log_b
    return Holds(meaning, formula)


def likelihood(x, y, theta, sigma):
    """Product of the densities of the responses."""
    return mpmath.fprod(mpmath.npdf(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True))


def log_of_joint_density(x, y, theta, sigma):
    """All responses as one normal vector with mean X theta."""
    return mpmath.log(normal_density(y, [dot(theta, x_n) for x_n in x], [sigma] * len(y)))


@check("E10", "50 digits", regression)
def log_likelihood_as_log_of_a_product(x, y, theta, sigma):
    meaning = log_of_joint_density(x, y, theta, sigma)
    densities = [mpmath.npdf(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True)]
    formula = mpmath.log(mpmath.fprod(densities))
    return Holds(meaning, formula)


@check("E11", "50 digits", regression)
def log_likelihood_as_sum_of_logs(x, y, theta, sigma):
    meaning = mpmath.log(likelihood(x, y, theta, sigma))
    densities = [mpmath.npdf(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True)]
    formula = total([mpmath.log(density) for density in densities])
    return Holds(meaning, formula)


@check("E12", "differences", regression)
def log_likelihood_with_the_density(x, y, theta, sigma):
    rows = [(y_n, dot(theta, x_n)) for x_n, y_n in zip(x, y, strict=True)]
    meaning = total(
        [mpmath.log(derivative(lambda t, mean=mean: mpmath.ncdf((t - mean) / sigma), y_n)) for y_n, mean in rows]
    )
    root = mpmath.sqrt(2 * mpmath.pi)
    formula = total(
        [mpmath.log(1 / (root * sigma) * mpmath.exp(-((y_n - mean) ** 2) / (2 * sigma**2))) for y_n, mean in rows]
    )
    return Holds(meaning, formula)


@check("E13", "50 digits", regression)
def log_likelihood_simplified(x, y, theta, sigma):
    meaning = mpmath.log(likelihood(x, y, theta, sigma))
    count, root = len(y), mpmath.sqrt(2 * mpmath.pi)
    squares = [(y_n - dot(theta, x_n)) ** 2 for x_n, y_n in zip(x, y, strict=True)]
    formula = count * mpmath.log(1 / (root * sigma)) - 1 / (2 * sigma**2) * sum(squares)
    return Holds(meaning, formula)


@check("E14", "50 digits", regression)
def log_likelihood_simplified_against_the_joint_density(x, y, theta, sigma):
    meaning = log_of_joint_density(x, y, theta, sigma)
    count, root = len(y), mpmath.sqrt(2 * mpmath.pi)
    squares = [(y_n - dot(theta, x_n)) ** 2 for x_n, y_n in zip(x, y, strict=True)]
    formula = count * mpmath.log(1 / (root * sigma)) - 1 / (2 * sigma**2) * sum(squares)
    return Holds(meaning, formula)


@check("E15", "differences", regression)
def gradient_of_the_normal_likelihood(x, y, theta, sigma):
    meaning = gradient(lambda t: mpmath.log(likelihood(x, y, t, sigma)), theta)
    rows, features = list(zip(x, y, strict=True)), range(len(theta))
    formula = [1 / sigma**2 * sum((y_n - dot(theta, x_n)) * x_n[i] for x_n, y_n in rows) for i in features]
    printed = [-each for each in formula]
    return Erratum(meaning, formula, printed)


@check("E15a", "50 digits", regression)
def fitted_value_is_the_mean(x, y, theta, sigma):
    meaning = normal_mean(dot(theta, x[0]), sigma)
    formula = dot(theta, x[0])
    return Holds(meaning, formula)


@check("E15b", "50 digits", regression)
def most_likely_of_a_grid_has_least_squares(x, y, theta, sigma):
    rows = list(zip(x, y, strict=True))
    meaning = max(GRID, key=lambda t: likelihood(x, y, t, sigma))
    formula = min(GRID, key=lambda t: sum((y_n - dot(t, x_n)) ** 2 for x_n, y_n in rows))
    return Holds(meaning, formula)
