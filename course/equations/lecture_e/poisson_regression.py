"""Equations 33 to 37: the Poisson distribution as an exponential family, and its regression."""

import mpmath

from course.equations.calculus import dot
from course.equations.cases import fraction
from course.equations.entry import Holds, check
from course.equations.lecture_e.models import poisson, poisson_mean

COUNTS = range(6)


def rate(rng):
    """lam : a positive rate."""
    return {"lam": fraction(rng, 1, 20)}


@check("E33a", "50 digits", rate)
def mean_of_the_poisson_distribution(lam):
    meaning = poisson_mean(lam)
    formula = lam
    return Holds(meaning, formula)


@check("E34", "50 digits", rate)
def poisson_probability(lam):
    meaning = poisson(lam, 6)
    formula = [mpmath.exp(mpmath.log(lam**y * mpmath.exp(-lam) / mpmath.factorial(y))) for y in COUNTS]
    return Holds(meaning, formula)


@check("E35", "50 digits", rate)
def poisson_probability_as_one_exponential(lam):
    meaning = poisson(lam, 6)
    formula = [mpmath.exp(y * mpmath.log(lam) - lam - mpmath.log(mpmath.factorial(y))) for y in COUNTS]
    return Holds(meaning, formula)


@check("E36", "50 digits", rate)
def poisson_as_an_exponential_family(lam):
    eta = mpmath.log(lam)
    meaning = poisson(lam, 6)
    formula = [1 / mpmath.factorial(y) * mpmath.exp(eta * y - mpmath.exp(eta)) for y in COUNTS]
    return Holds(meaning, formula)


def weights_of_a_rate(rng):
    """theta, x : two numbers each, of at most 1, so that the rate is small."""
    return {"theta": [fraction(rng, -7, 7), fraction(rng, -7, 7)], "x": [1, fraction(rng, -7, 7)]}


@check("E37", "50 digits", weights_of_a_rate)
def response_of_poisson_regression(theta, x):
    # The mean of the family h(y) exp(eta y), normalised by its sum.
    weights = [mpmath.exp(dot(theta, x) * y) / mpmath.factorial(y) for y in range(100)]
    meaning = dot(range(100), weights) / sum(weights)
    formula = mpmath.exp(dot(theta, x))
    return Holds(meaning, formula)


@check("E37a", "50 digits", weights_of_a_rate)
def rate_is_positive(theta, x):
    # A rate makes a distribution of counts if each count is possible.
    etas = [scale * dot(theta, x) for scale in (-20, -1, 1, 20)]
    meaning = [min(poisson(mpmath.exp(eta), 6)) > 0 for eta in etas]
    formula = [mpmath.exp(eta) > 0 for eta in etas]
    return Holds(meaning, formula)
