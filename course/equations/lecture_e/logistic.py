"""Equations 16 to 27: logistic regression, its likelihood, gradient ascent, and the gradient step by step."""

from fractions import Fraction

import mpmath
import sympy

from course.equations.calculus import derivative, dot, gradient, hessian, total
from course.equations.cases import coin, fixed, fraction, two_classes
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import bernoulli, normal_mean, sigmoid


@check("E16a", "fractions", coin)
def mean_of_a_bernoulli_variable(phi):
    meaning = sum(y * bernoulli(y, phi) for y in (0, 1))
    formula = phi
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


@check("E22a", "symbolic", fixed)
def chain_rule():
    x, y = sympy.symbols("x y")
    y_of_x = x**3 - 2 * x
    meaning = sympy.diff(sympy.expand(y_of_x**2), x)
    formula = sympy.diff(y**2, y).subs(y, y_of_x) * sympy.diff(y_of_x, x)
    return Holds(meaning, formula)


def log_probability(y, p):
    """Of one label."""
    return mpmath.log(bernoulli(y, p))


def one_of_each(x, y, theta):
    """A row of class 0 and one of class 1, their labels, and what the model gives them."""
    return [(x[n], y[n], sigmoid(dot(theta, x[n]))) for n in (0, 1)]


def slopes_by_differences(x, y, theta):
    """Gradient of the log likelihood of one example, for a row of each class."""
    return [gradient(lambda t, n=n: log_likelihood([x[n]], [y[n]], t), theta) for n in (0, 1)]


@check("E22b", "50 digits", two_classes)
def log_likelihood_of_one_example(x, y, theta):
    rows = one_of_each(x, y, theta)
    meaning = [log_probability(y_n, f) for _, y_n, f in rows]
    formula = [y_n * mpmath.log(f) + (1 - y_n) * mpmath.log(1 - f) for _, y_n, f in rows]
    return Holds(meaning, formula)


@check("E23", "differences", two_classes)
def slope_by_the_chain_rule(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [
            derivative(lambda p, y_n=y_n: log_probability(y_n, p), f) * slope
            for slope in gradient(lambda t, x_n=x_n: sigmoid(dot(t, x_n)), theta)
        ]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


@check("E24", "differences", two_classes)
def slope_with_the_outer_derivative(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [(y_n / f - (1 - y_n) / (1 - f)) * slope for slope in gradient(lambda t, x_n=x_n: sigmoid(dot(t, x_n)), theta)]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


def positive(rng):
    """x : a positive number."""
    return {"x": fraction(rng, 1, 20)}


@check("E24a", "differences", positive)
def derivative_of_the_logarithm(x):
    meaning = derivative(mpmath.log, x)
    formula = 1 / x
    return Holds(meaning, formula)


@check("E25", "differences", two_classes)
def slope_with_both_derivatives(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [(y_n / f - (1 - y_n) / (1 - f)) * (f * (1 - f) * x_i) for x_i in x_n]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


@check("E26", "differences", two_classes)
def slope_simplified(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [[(y_n - f) * x_i for x_i in x_n] for x_n, y_n, f in one_of_each(x, y, theta)]
    return Holds(meaning, formula)


@check("E27", "differences", two_classes)
def gradient_of_logistic_regression(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    rows, features = list(zip(x, y, strict=True)), range(len(theta))
    formula = [sum((y_n - sigmoid(dot(theta, x_n))) * x_n[i] for x_n, y_n in rows) for i in features]
    return Holds(meaning, formula)


@check("E27a", "50 digits", two_classes)
def mean_response_of_both_regressions(x, y, theta):
    eta = dot(theta, x[0])
    meaning = [normal_mean(eta, mpmath.mpf(1)), sum(k * bernoulli(k, sigmoid(eta)) for k in (0, 1))]
    formula = [f(eta) for f in (lambda t: t, sigmoid)]
    return Holds(meaning, formula)
