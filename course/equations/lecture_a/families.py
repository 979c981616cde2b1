"""Exponential families: normal, Bernoulli and Poisson; the recipe of a generalised linear model."""

import mpmath

from course.equations.calculus import derivative
from course.equations.cases import coin
from course.equations.entry import Holds, check
from course.equations.lecture_a.cases import normal, number

exp, log, pi = mpmath.exp, mpmath.log, mpmath.pi


def integral(f):
    """Integral of f by a sum over a lattice: for a normal bell of variance 1 within 3 of 0, good to 50 digits."""
    step = mpmath.mpf("0.4")
    return step * mpmath.fsum(f(k * step) for k in range(-48, 49))


def normal_density(y, mu):
    return derivative(lambda t: mpmath.ncdf(t - mu), y)


def normal_base(y):
    return exp(-(y**2) / 2) / mpmath.sqrt(2 * pi)


@check("A48a", "differences", normal)
def normal_density_is_the_slope_of_its_distribution_function(y, mu):
    meaning = normal_density(y, mu)
    half = mpmath.mpf("0.5")
    formula = 1 / mpmath.sqrt(2 * pi) * exp(-half * (y - mu) ** 2)
    return Holds(meaning, formula)


@check("A48b", "differences", normal)
def normal_density_in_two_factors(y, mu):
    meaning = normal_density(y, mu)
    half = mpmath.mpf("0.5")
    formula = 1 / mpmath.sqrt(2 * pi) * exp(-half * y**2) * exp(mu * y - half * mu**2)
    return Holds(meaning, formula)


@check("A48c", "50 digits", normal)
def log_partition_function_of_the_normal_family(y, mu):
    eta = mu
    meaning = log(integral(lambda t: normal_base(t) * exp(eta * t)))
    formula = eta**2 / 2
    return Holds(meaning, formula)


@check("A39", "fractions", coin)
@check("A49a", "fractions", coin)
@check("B8a", "fractions", coin)
@check("C29", "fractions", coin)
@check("D5", "fractions", coin)
@check("E16", "fractions", coin)
def bernoulli_in_one_expression(phi):
    meaning = [1 - phi, phi]
    formula = [phi**y * (1 - phi) ** (1 - y) for y in (0, 1)]
    return Holds(meaning, formula)


@check("A49b", "50 digits", coin)
def bernoulli_by_logarithms(phi):
    meaning = [1 - phi, phi]
    formula = [exp(y * log(phi) + (1 - y) * log(1 - phi)) for y in (0, 1)]
    return Holds(meaning, formula)


@check("A49c", "50 digits", coin)
def bernoulli_by_log_odds(phi):
    meaning = [1 - phi, phi]
    formula = [exp(log(phi / (1 - phi)) * y + log(1 - phi)) for y in (0, 1)]
    return Holds(meaning, formula)


@check("A49d", "50 digits", coin)
def log_partition_function_of_the_bernoulli_family(phi):
    eta = log(phi) - log(1 - phi)
    T, b = (0, 1), (1, 1)
    partition = log(sum(b[y] * exp(eta * T[y]) for y in (0, 1)))
    meaning = [partition, partition]
    formula = [-log(1 - phi), log(1 + exp(eta))]
    return Holds(meaning, formula)


@check("A52a", "50 digits", number)
def mean_of_the_normal_family(z):
    meaning = integral(lambda t: t * normal_base(t) * exp(z * t)) / integral(lambda t: normal_base(t) * exp(z * t))
    formula = z
    return Holds(meaning, formula)


@check("A52b", "50 digits", number)
def mean_of_the_bernoulli_family(z):
    weights = [exp(z * y) for y in (0, 1)]
    meaning = sum(y * weight for y, weight in enumerate(weights)) / sum(weights)
    formula = 1 / (1 + exp(-z))
    return Holds(meaning, formula)


@check("A52c", "50 digits", number)
def mean_of_the_poisson_family(z):
    weights = [exp(z * y) / mpmath.factorial(y) for y in range(150)]
    meaning = sum(y * weight for y, weight in enumerate(weights)) / sum(weights)
    formula = exp(z)
    return Holds(meaning, formula)
