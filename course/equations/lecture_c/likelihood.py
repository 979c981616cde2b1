"""Logistic regression: the conditional likelihood and its logarithm."""

from itertools import product

import mpmath
from mpmath import exp, log

from course.equations.calculus import derivative, dot
from course.equations.cases import probability as share
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_c.cases import labelled_points, moderate_scores, two_thetas


def probability(y, score):
    """p(y | x) from the odds e^score : 1 of class 1."""
    return exp(score) / (exp(score) + 1) if y == 1 else 1 / (exp(score) + 1)


def likelihood(x, y, theta):
    """Conditional likelihood of the classes."""
    return mpmath.fprod(probability(y_n, dot(theta, x_n)) for x_n, y_n in zip(x, y, strict=True))


def rows_of(x, y, theta):
    """For each example y, its score theta'x, and mu."""
    scores = [dot(theta, x_n) for x_n in x]
    return [(y_n, s, 1 / (1 + exp(-s))) for y_n, s in zip(y, scores, strict=True)]


@check("C29", "fractions", lambda rng: {"mu": share(rng)})
def bernoulli_in_one_product(mu):
    meaning = {0: 1 - mu, 1: mu}
    formula = {y: mu**y * (1 - mu) ** (1 - y) for y in (0, 1)}
    return Holds(meaning, formula)


@check("C32", "fractions", labelled_points)
def probability_of_the_classes_given_the_features(p, x, y):
    def probability_of_data(classes):
        value = 1
        for x_n, y_n in zip(x, classes, strict=True):
            value *= p[y_n][x_n]
        return value

    meaning = probability_of_data(y) / sum(probability_of_data(classes) for classes in product(range(2), repeat=3))
    p_x, p_y = [p[0][v] + p[1][v] for v in range(3)], [sum(row) for row in p]
    first, second, third = zip(x, y, strict=True)
    y_given_x = {(v, c): p[c][v] / p_x[v] for v in range(3) for c in range(2)}
    x_given_y = {(v, c): p[c][v] / p_y[c] for v in range(3) for c in range(2)}
    formula = y_given_x[first] * y_given_x[second] * y_given_x[third]
    printed = x_given_y[first] * x_given_y[second] * x_given_y[third]
    return Erratum(meaning, formula, printed)


@check("C34", "50 digits", moderate_scores)
def logarithm_of_a_product(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(log(probability(y_n, dot(theta, x_n))) for x_n, y_n in zip(x, y, strict=True))
    return Holds(meaning, formula)


@check("C35a", "50 digits", moderate_scores)
def log_likelihood_by_cases(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu) + (1 - y_n) * log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@check("C35b", "50 digits", moderate_scores)
def log_likelihood_by_odds(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu / (1 - mu)) + log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@check("C35c", "50 digits", moderate_scores)
def log_likelihood_by_scores(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * s - s - log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    printed = sum(y_n * s - s + log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    return Erratum(meaning, formula, printed)


@check("C35d", "50 digits", moderate_scores)
def log_likelihood_in_short(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum((y_n - 1) * s - log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    printed = sum((y_n - 1) * s + log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    return Erratum(meaning, formula, printed)


def along_a_segment(x, y, theta, other, t):
    """Log likelihood between two points, the chord there, and the second derivative along the segment."""

    def at(share):
        return log(likelihood(x, y, [share * a + (1 - share) * b for a, b in zip(theta, other, strict=True)]))

    return at(t), t * at(1) + (1 - t) * at(0), derivative(lambda s: derivative(at, s), t)


@check("C36", "differences", two_thetas)
def log_likelihood_is_concave(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = bool(bend <= 0)
    formula = bool(between >= chord)
    return Holds(meaning, formula)


@check("C38", "differences", two_thetas)
def log_likelihood_is_not_convex(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = "concave" if bend < 0 else "convex"
    formula = "concave" if between > chord else "convex"
    return Erratum(meaning, formula, "convex")
