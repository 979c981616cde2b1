"""The likelihood of logistic regression."""

import mpmath

from course.equations.calculus import dot, total
from course.equations.cases import two_classes
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_a.cases import coin, gentle
from course.equations.lecture_a.logistic import sigma

exp, log = mpmath.exp, mpmath.log


def probability(y, z):
    """P(Y = y) where the log odds of class 1 are z."""
    return sigma(z) if y == 1 else sigma(-z)


def log_likelihood(x, y, theta):
    return total([log(probability(y_i, dot(theta, x_i))) for x_i, y_i in zip(x, y, strict=True)])


@check("A39", "fractions", coin)
def two_cases_in_one_expression(phi):
    meaning = [1 - phi, phi]
    formula = [phi**y * (1 - phi) ** (1 - y) for y in (0, 1)]
    return Holds(meaning, formula)


@check("A40a", "50 digits", gentle)
def likelihood_of_labels(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    p = [1 / (1 + exp(-dot(theta, x_i))) for x_i in x]
    formula = mpmath.fprod(p_i**y_i * (1 - p_i) ** (1 - y_i) for p_i, y_i in zip(p, y, strict=True))
    return Holds(meaning, formula)


@check("A40b", "50 digits", gentle)
def likelihood_of_labels_by_exponentials(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    z = [dot(theta, x_i) for x_i in x]
    formula = mpmath.fprod(
        (exp(z_i) / (1 + exp(z_i))) ** y_i * (1 / (1 + exp(z_i))) ** (1 - y_i) for z_i, y_i in zip(z, y, strict=True)
    )
    same = exp(z[0])
    printed = mpmath.fprod((same / (1 + same)) ** y_i * (1 / (1 + same)) ** (1 - y_i) for y_i in y)
    return Erratum(meaning, formula, printed)


@check("A41", "50 digits", two_classes)
def log_likelihood_of_labels(x, y, theta):
    meaning = log_likelihood(x, y, theta)
    z = [dot(theta, x_i) for x_i in x]
    formula = sum(y_i * z_i - log(1 + exp(z_i)) for y_i, z_i in zip(y, z, strict=True))
    return Holds(meaning, formula)
