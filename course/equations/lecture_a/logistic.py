"""Logistic regression: from linear regression to the probabilities of two classes."""

import mpmath

from course.equations.calculus import derivative, dot
from course.equations.cases import two_classes
from course.equations.entry import Holds, check
from course.equations.lecture_a.cases import number

exp = mpmath.exp


def sigma(z):
    """The logistic function, by a formula that is not in the lecture."""
    return (1 + mpmath.tanh(z / 2)) / 2


@check("A31", "differences", number)
def slope_of_the_logistic_function(z):
    meaning = derivative(lambda t: 1 / (1 + exp(-t)), z)
    formula = sigma(z) * (1 - sigma(z))
    return Holds(meaning, formula)


@check("A32b", "50 digits", number)
def class_1_by_growing_exponentials(z):
    meaning = sigma(z)
    formula = exp(z) / (1 + exp(z))
    return Holds(meaning, formula)


@check("A33a", "50 digits", number)
def class_0_by_falling_exponentials(z):
    meaning = 1 - sigma(z)
    formula = exp(-z) / (1 + exp(-z))
    return Holds(meaning, formula)


@check("A33b", "50 digits", number)
def class_0_by_growing_exponentials(z):
    meaning = 1 - sigma(z)
    formula = 1 / (1 + exp(z))
    return Holds(meaning, formula)


@check("A36", "50 digits", two_classes)
def one_feature_and_a_constant(x, y, theta):
    weights = theta[:2]
    meaning = [sigma(dot(weights, row[:2])) for row in x]
    values, theta_0, theta_1 = [row[1] for row in x], *weights
    formula = [sigma(theta_1 * value + theta_0) for value in values]
    return Holds(meaning, formula)


@check("A37", "50 digits", two_classes)
def the_rule_errs_least(x, y, theta):
    def errs(answer, row):
        odds = {0: mpmath.mpf(1), 1: exp(dot(theta, row))}
        return sum(odds[label] for label in odds if label != answer) / sum(odds.values())

    meaning = [errs(1, row) < errs(0, row) for row in x]
    formula = [sigma(dot(theta, row)) > 0.5 for row in x]
    return Holds(meaning, formula)
