"""Equations 23 to 27: the gradient of the likelihood of logistic regression, step by step."""

import mpmath
import sympy

from course.equations.calculus import derivative, dot, gradient
from course.equations.cases import fraction, two_classes
from course.equations.entry import Holds, check
from course.equations.lecture_e.logistic import log_likelihood
from course.equations.lecture_e.models import bernoulli, normal_mean, sigmoid


@check("E22a", "symbolic", lambda rng: {})
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
