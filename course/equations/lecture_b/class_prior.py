"""The class prior of Gaussian discriminant analysis: where the derivative of the log likelihood in it is 0."""

from fractions import Fraction
from math import prod

from course.equations.calculus import derivative
from course.equations.cases import precise
from course.equations.entry import Holds, Lecture
from course.equations.estimates import most_likely
from course.equations.lecture_b.cases import gda
from course.equations.lecture_b.normal import MODEL, log_likelihood

lecture = Lecture("B")

PHI = MODEL + ", display 4"


@lecture.holds(
    "B10a",
    PHI,
    r"\frac{\partial \ell}{\partial \phi} = \sum_i \Bigl(y_i \frac1\phi - (1 - y_i) \frac1{1 - \phi}\Bigr)",
    "G2",
    method="differences",
    case=precise(gda),
)
def derivative_in_the_class_prior(x, y, phi, mu, root):
    meaning = derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)
    formula = sum(y_i * (1 / phi) - (1 - y_i) * (1 / (1 - phi)) for y_i in y)
    return Holds(meaning, formula)


def cleared(x, y, phi, mu, root):
    """The derivative in phi, multiplied by phi (1 - phi): 0 where the derivative is."""
    return phi * (1 - phi) * derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)


@lecture.holds(
    "B10b",
    PHI,
    r"\sum_i \bigl(y_i (1 - \phi) - (1 - y_i)\, \phi\bigr) = 0",
    "G2",
    note="the left side is φ(1 - φ) times the derivative, as in the next two lines; this is what is checked",
    method="differences",
    case=precise(gda),
)
def class_prior_without_fractions(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i * (1 - phi) - (1 - y_i) * phi for y_i in y)
    return Holds(meaning, formula)


@lecture.holds("B10c", PHI, r"\sum_i (y_i - \phi) = 0", "G2", method="differences", case=precise(gda))
def class_prior_as_a_sum_of_residuals(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i - phi for y_i in y)
    return Holds(meaning, formula)


@lecture.holds("B10d", PHI, r"\sum_i y_i - m \phi = 0", "G2", method="differences", case=precise(gda))
def class_prior_as_a_difference(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    m = len(y)
    formula = sum(y) - m * phi
    return Holds(meaning, formula)


@lecture.holds(
    "B10e",
    PHI + ", and display 8",
    r"\hat\phi = \frac1m \sum_i y_i = \frac1m \sum_i 1(y_i = 1)",
    "G2",
    method="enumeration",
    case=gda,
)
def most_likely_class_prior(x, y, phi, mu, root):
    meaning = [most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]] * 2
    m = Fraction(len(y))
    formula = [1 / m * sum(y), 1 / m * sum(y_i == 1 for y_i in y)]
    return Holds(meaning, formula)
