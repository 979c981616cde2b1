"""Equations 28 to 32: exponential families, and how a GLM is made of one."""

import mpmath

from course.equations.calculus import derivative, dot
from course.equations.cases import fraction
from course.equations.entry import Conditional, check
from course.equations.lecture_e.models import poisson_mean


def four_values(rng):
    """h : positive weights of the values 0 to 3; eta : a natural parameter."""
    return {"h": [fraction(rng, 1, 20) for _ in range(4)], "eta": fraction(rng)}


def log_partition(h, statistic, eta):
    """A(eta), which makes the probabilities h exp(eta T - A) sum to 1; statistic : T of each value."""
    return mpmath.log(sum(h_y * mpmath.exp(eta * t) for h_y, t in zip(h, statistic, strict=True)))


def mean(h, values, statistic, eta):
    """E[Y], summed over the values."""
    weights = [h_y * mpmath.exp(eta * t) for h_y, t in zip(h, statistic, strict=True)]
    return dot(values, weights) / sum(weights)


@check("E29", "50 digits", four_values)
def mean_tells_the_natural_parameter(h, eta):
    values = range(4)
    mu = mean(h, values, values, eta)
    meaning = eta
    formula = mpmath.findroot(lambda t: mean(h, values, values, t) - mu, (-9, 9), solver="bisect", maxsteps=200)
    one, two = (mean([1, 1, 1], [-1, 0, 1], [1, 0, 1], t) for t in (eta, eta + 1))
    return Conditional(meaning, formula, without=(True, one != two))


@check("E30", "differences", four_values)
def mean_from_the_log_partition_function(h, eta):
    values, squares = range(4), [0, 1, 4, 9]
    meaning = mean(h, values, values, eta)
    formula = derivative(lambda t: log_partition(h, values, t), eta)
    of_squares = derivative(lambda t: log_partition(h, squares, t), eta)
    return Conditional(meaning, formula, without=(mean(h, values, squares, eta), of_squares))


def natural_parameter(rng):
    """eta : below 3 in size."""
    return {"eta": fraction(rng)}


@check("E32a", "50 digits", natural_parameter)
def canonical_link_of_counts(eta):
    mu = poisson_mean(mpmath.exp(eta))
    meaning = mu
    formula = mpmath.exp(eta)
    return Conditional(meaning, formula, without=(eta, mpmath.exp(mu)))
