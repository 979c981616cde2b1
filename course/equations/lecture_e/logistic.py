"""Equations 16 to 22: logistic regression, its likelihood, and gradient ascent."""

from fractions import Fraction

import mpmath

from course.equations.calculus import dot, hessian, total
from course.equations.cases import probability, two_classes
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import bernoulli, sigmoid


def one_probability(rng):
    """h : a probability."""
    return {"h": probability(rng)}


@check("E16", "fractions", one_probability)
def both_probabilities_in_one_formula(h):
    meaning = {0: 1 - h, 1: h}
    formula = {y: h**y * (1 - h) ** (1 - y) for y in (0, 1)}
    return Holds(meaning, formula)


@check("E16a", "fractions", one_probability)
def mean_of_a_bernoulli_variable(h):
    meaning = sum(y * bernoulli(y, h) for y in (0, 1))
    formula = h
    return Holds(meaning, formula)


@check("E18", "50 digits", two_classes)
def log_odds(x, y, theta):
    p = [sigmoid(dot(theta, x_n)) for x_n in x]
    meaning = [mpmath.log(bernoulli(1, p_n) / bernoulli(0, p_n)) for p_n in p]
    formula = [dot(theta, x_n) for x_n in x]
    return Holds(meaning, formula)


def whole_numbers(rng):
    """x : six rows of three features, the first 1; theta : three weights; all integers, which are never rounded."""
    case = two_classes(rng)
    x = [[1, *(int(7 * each) for each in row[1:])] for row in case["x"]]
    return {"x": x, "theta": [int(7 * each) for each in case["theta"]]}


@check("E19", "50 digits", whole_numbers)
def linear_boundary(x, theta):
    # Points anywhere, and points moved along the last axis until they lie on the plane, exactly.
    on_the_plane = [[1, x_n[1], Fraction(-(theta[0] + theta[1] * x_n[1]), theta[2])] for x_n in x]
    p = [sigmoid(dot(theta, point)) for point in x + on_the_plane]
    meaning = [bernoulli(1, each) >= bernoulli(0, each) for each in p]
    formula = [dot(theta, point) >= 0 for point in x + on_the_plane]
    return Holds(meaning, formula)


def log_likelihood(x, y, theta):
    """Sum of the logarithms of the probabilities of the labels."""
    return total([mpmath.log(bernoulli(y_n, sigmoid(dot(theta, x_n)))) for x_n, y_n in zip(x, y, strict=True)])


@check("E20", "50 digits", two_classes)
def log_likelihood_as_a_sum(x, y, theta):
    p = [bernoulli(y_n, sigmoid(dot(theta, x_n))) for x_n, y_n in zip(x, y, strict=True)]
    meaning = mpmath.log(mpmath.fprod(p))
    formula = total([mpmath.log(p_n) for p_n in p])
    return Holds(meaning, formula)


@check("E21", "50 digits", two_classes)
def log_likelihood_of_logistic_regression(x, y, theta):
    meaning = log_likelihood(x, y, theta)
    rows = [(y_n, sigmoid(dot(theta, x_n))) for x_n, y_n in zip(x, y, strict=True)]
    formula = total([y_n * mpmath.log(f) + (1 - y_n) * mpmath.log(1 - f) for y_n, f in rows])
    return Holds(meaning, formula)


def two_weights(rng):
    """Two classes, and another vector of weights, so that there is a line between two."""
    case = two_classes(rng)
    return {**case, "other": two_classes(rng)["theta"]}


@check("E21a", "differences", two_weights)
def log_likelihood_is_concave(x, y, theta, other):
    curvature = hessian(lambda t: log_likelihood(x, y, t), theta)
    meaning = max(mpmath.eigsy(mpmath.matrix(curvature), eigvals_only=True)) <= 0
    middle = log_likelihood(x, y, [(a + b) / 2 for a, b in zip(theta, other, strict=True)])
    chord = (log_likelihood(x, y, theta) + log_likelihood(x, y, other)) / 2
    formula = middle >= chord
    printed = middle <= chord
    return Erratum(meaning, formula, printed)


def two_groups(rng):
    """ones : how many of the four examples at x = -1, and of the four at x = 1, are of class 1; some, not all."""
    return {"ones": [2 * int(rng.integers(0, 2)) + 1, int(rng.integers(1, 4))]}


def slopes(ones, theta):
    """Gradient of the log likelihood of an intercept and a weight, for four examples at -1 and four at 1."""
    left, right = (k - 4 * sigmoid(theta[0] + x * theta[1]) for x, k in zip((-1, 1), ones, strict=True))
    return [left + right, right - left]


@check("E22", "50 digits", two_groups)
def gradient_ascent(ones):
    alpha = mpmath.mpf(1) / 2  # the curvature is at most 8 / 4
    # Two groups and two parameters: the best model has the share of ones of each group.
    left, right = (mpmath.log(mpmath.mpf(k) / (4 - k)) for k in ones)
    meaning = [(left + right) / 2, (right - left) / 2]
    formula = [mpmath.mpf(0), mpmath.mpf(0)]
    for _ in range(80):
        formula = [t + alpha * slope for t, slope in zip(formula, slopes(ones, formula), strict=True)]
    path = [[mpmath.mpf(0), mpmath.mpf(0)]]
    for _ in range(80):
        path.append([t + alpha * s for t, s in zip(path[-1], slopes([0, 4], path[-1]), strict=True)])
    return Conditional(meaning, formula, without=(path[40], path[80]))
