"""The means of Gaussian discriminant analysis, one class after the other: derivatives and where they are 0."""

import mpmath

from course.equations.calculus import gradient, vector
from course.equations.entry import Holds, check
from course.equations.estimates import maximum
from course.equations.lecture_b.cases import gda
from course.equations.lecture_b.normal import covariance, log_likelihood

half = mpmath.mpf("0.5")


def with_mean(mu, j, value):
    """The two means, that of class j replaced."""
    return [value if k == j else mu[k] for k in (0, 1)]


def slope(x, y, phi, mu, root, j):
    return gradient(lambda t: log_likelihood(x, y, phi, with_mean(mu, j, t), root), mu[j])


def times_covariance(x, y, phi, mu, root, j):
    return vector(covariance(root) * mpmath.matrix(slope(x, y, phi, mu, root, j)))


def pulls(x, mu, root, j):
    """Sigma^-1 (x_i - mu_j) for each example."""
    S = covariance(root)
    return [vector(mpmath.lu_solve(S, mpmath.matrix([a - b for a, b in zip(x_i, mu[j], strict=True)]))) for x_i in x]


def members(y, j):
    """1 for this class and 0 for the other, which the lecture writes 1 - y_i or y_i."""
    return [int(y_i == j) for y_i in y]


@check("B11a", "differences", gda, j=0)
@check("B12a", "differences", gda, j=1)
def derivative_in_a_mean(x, y, phi, mu, root, j):
    meaning = slope(x, y, phi, mu, root, j)
    pull = pulls(x, mu, root, j)
    formula = [sum(w * -half * (-2 * q[k]) for w, q in zip(members(y, j), pull, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11b", "differences", gda, j=0)
@check("B12b", "differences", gda, j=1)
def derivative_in_a_mean_simplified(x, y, phi, mu, root, j):
    meaning = slope(x, y, phi, mu, root, j)
    pull = pulls(x, mu, root, j)
    formula = [sum(w * q[k] for w, q in zip(members(y, j), pull, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11c", "differences", gda, j=0)
@check("B12c", "differences", gda, j=1)
def mean_as_a_sum_of_residuals(x, y, phi, mu, root, j):
    meaning = times_covariance(x, y, phi, mu, root, j)
    formula = [sum(w * (x_i[k] - mu[j][k]) for w, x_i in zip(members(y, j), x, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11d", "differences", gda, j=0)
@check("B12d", "differences", gda, j=1)
def mean_as_a_difference(x, y, phi, mu, root, j):
    meaning = times_covariance(x, y, phi, mu, root, j)
    weights = members(y, j)
    formula = [
        sum(w * x_i[k] for w, x_i in zip(weights, x, strict=True)) - sum(w * mu[j][k] for w in weights) for k in (0, 1)
    ]
    return Holds(meaning, formula)


@check("B11e", "differences", gda, j=0)
@check("B12e", "differences", gda, j=1)
def most_likely_mean(x, y, phi, mu, root, j):
    meaning = maximum(lambda t: log_likelihood(x, y, phi, with_mean(mu, j, t), root), [0, 0])
    formula = [
        sum((y_i == j) * x_i[k] for x_i, y_i in zip(x, y, strict=True)) / sum(y_i == j for y_i in y) for k in (0, 1)
    ]
    return Holds(meaning, formula)
