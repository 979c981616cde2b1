"""The class prior of Gaussian discriminant analysis: where the derivative of the log likelihood in it is 0."""

from fractions import Fraction
from math import prod

from course.equations.calculus import derivative
from course.equations.entry import Holds, check
from course.equations.estimates import most_likely
from course.equations.lecture_b.cases import gda
from course.equations.lecture_b.normal import log_likelihood


@check("B10a", "differences", gda)
def derivative_in_the_class_prior(x, y, phi, mu, root):
    meaning = derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)
    formula = sum(y_i * (1 / phi) - (1 - y_i) * (1 / (1 - phi)) for y_i in y)
    return Holds(meaning, formula)


def cleared(x, y, phi, mu, root):
    """The derivative in phi, multiplied by phi (1 - phi): 0 where the derivative is."""
    return phi * (1 - phi) * derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)


@check("B10b", "differences", gda)
def class_prior_without_fractions(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i * (1 - phi) - (1 - y_i) * phi for y_i in y)
    return Holds(meaning, formula)


@check("B10c", "differences", gda)
def class_prior_as_a_sum_of_residuals(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i - phi for y_i in y)
    return Holds(meaning, formula)


@check("B10d", "differences", gda)
def class_prior_as_a_difference(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    m = len(y)
    formula = sum(y) - m * phi
    return Holds(meaning, formula)


@check("B10e", "enumeration", gda)
def most_likely_class_prior(x, y, phi, mu, root):
    meaning = [most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]] * 2
    m = Fraction(len(y))
    formula = [1 / m * sum(y), 1 / m * sum(y_i == 1 for y_i in y)]
    return Holds(meaning, formula)
