"""Exponential families: normal, Bernoulli and Poisson; the recipe of a generalised linear model."""

import mpmath

from course.equations.calculus import derivative
from course.equations.cases import precise
from course.equations.entry import Holds, Lecture
from course.equations.lecture_a.cases import coin, normal, number

lecture = Lecture("A")
exp, log, pi = mpmath.exp, mpmath.log, mpmath.pi

EXAMPLES = "slide *Examples of Exponential Family*"
RECIPE = "slide *Recipe of GLMs*"

lecture.definition(
    "A47",
    "slides *Exponential Family* and *Examples of Exponential Family*",
    r"p(y; \eta) = b(y) \exp(\eta^\top T(y) - a(\eta))",
    "X1",
)


def integral(f):
    """Integral of f by a sum over a lattice: for a normal bell of variance 1 within 3 of 0, good to 50 digits."""
    step = mpmath.mpf("0.4")
    return step * mpmath.fsum(f(k * step) for k in range(-48, 49))


def normal_density(y, mu):
    return derivative(lambda t: mpmath.ncdf(t - mu), y)


def normal_base(y):
    return exp(-(y**2) / 2) / mpmath.sqrt(2 * pi)


@lecture.holds(
    "A48a",
    EXAMPLES + ", Gaussian",
    r"p(y; \mu) = \frac1{\sqrt{2\pi}} \exp\bigl(-\tfrac12 (y - \mu)^2\bigr)",
    "X1",
    method="differences",
    case=precise(normal),
)
def normal_density_is_the_slope_of_its_distribution_function(y, mu):
    meaning = normal_density(y, mu)
    half = mpmath.mpf("0.5")
    formula = 1 / mpmath.sqrt(2 * pi) * exp(-half * (y - mu) ** 2)
    return Holds(meaning, formula)


@lecture.holds(
    "A48b",
    EXAMPLES + ", Gaussian",
    r"p(y; \mu) = \frac1{\sqrt{2\pi}} \exp\bigl(-\tfrac12 y^2\bigr) \cdot \exp\bigl(\mu y - \tfrac12 \mu^2\bigr)",
    "X1",
    method="differences",
    case=precise(normal),
)
def normal_density_in_two_factors(y, mu):
    meaning = normal_density(y, mu)
    half = mpmath.mpf("0.5")
    formula = 1 / mpmath.sqrt(2 * pi) * exp(-half * y**2) * exp(mu * y - half * mu**2)
    return Holds(meaning, formula)


@lecture.holds(
    "A48c",
    EXAMPLES + ", Gaussian",
    r"\eta = \mu, \quad T(y) = y, \quad a(\eta) = \mu^2 / 2 = \eta^2 / 2, \quad b(y) = (1 / \sqrt{2\pi}) \exp(-y^2 / 2)",
    "X1",
    method="50 digits",
    case=precise(normal),
)
def log_partition_function_of_the_normal_family(y, mu):
    eta = mu
    meaning = log(integral(lambda t: normal_base(t) * exp(eta * t)))
    formula = eta**2 / 2
    return Holds(meaning, formula)


@lecture.holds(
    "A49a",
    EXAMPLES + ", Bernoulli",
    r"p(y; \phi) = \phi^y (1 - \phi)^{1 - y}",
    "X1",
    method="fractions",
    case=coin,
)
def bernoulli_in_one_expression(phi):
    meaning = [1 - phi, phi]
    formula = [phi**y * (1 - phi) ** (1 - y) for y in (0, 1)]
    return Holds(meaning, formula)


@lecture.holds(
    "A49b",
    EXAMPLES + ", Bernoulli",
    r"p(y; \phi) = \exp(y \log \phi + (1 - y) \log(1 - \phi))",
    "X1",
    method="50 digits",
    case=precise(coin),
)
def bernoulli_by_logarithms(phi):
    meaning = [1 - phi, phi]
    formula = [exp(y * log(phi) + (1 - y) * log(1 - phi)) for y in (0, 1)]
    return Holds(meaning, formula)


@lecture.holds(
    "A49c",
    EXAMPLES + ", Bernoulli",
    r"p(y; \phi) = \exp\Bigl(\log\Bigl(\frac\phi{1 - \phi}\Bigr)\, y + \log(1 - \phi)\Bigr)",
    "X1",
    method="50 digits",
    case=precise(coin),
)
def bernoulli_by_log_odds(phi):
    meaning = [1 - phi, phi]
    formula = [exp(log(phi / (1 - phi)) * y + log(1 - phi)) for y in (0, 1)]
    return Holds(meaning, formula)


@lecture.holds(
    "A49d",
    EXAMPLES + ", Bernoulli",
    r"T(y) = y, \quad b(y) = 1, \quad a(\eta) = -\log(1 - \phi) = \log(1 + e^\eta)",
    "X1",
    method="50 digits",
    case=precise(coin),
)
def log_partition_function_of_the_bernoulli_family(phi):
    eta = log(phi) - log(1 - phi)
    T, b = (0, 1), (1, 1)
    partition = log(sum(b[y] * exp(eta * T[y]) for y in (0, 1)))
    meaning = [partition, partition]
    formula = [-log(1 - phi), log(1 + exp(eta))]
    return Holds(meaning, formula)


lecture.definition("A50", RECIPE, r"\eta = \boldsymbol\theta^\top \mathbf x", "X2")
lecture.definition(
    "A51", RECIPE, r"\mu = g^{-1}(\eta)", "X2", "g is the link; its inverse, which is shown, is the response"
)


@lecture.holds("A52a", RECIPE + ", Gaussian", r"\mu = \eta", "X2", method="50 digits", case=precise(number))
def mean_of_the_normal_family(z):
    meaning = integral(lambda t: t * normal_base(t) * exp(z * t)) / integral(lambda t: normal_base(t) * exp(z * t))
    formula = z
    return Holds(meaning, formula)


@lecture.holds("A52b", RECIPE + ", Bernoulli", r"\mu = \sigma(\eta)", "X2", method="50 digits", case=precise(number))
def mean_of_the_bernoulli_family(z):
    weights = [exp(z * y) for y in (0, 1)]
    meaning = sum(y * weight for y, weight in enumerate(weights)) / sum(weights)
    formula = 1 / (1 + exp(-z))
    return Holds(meaning, formula)


@lecture.holds("A52c", RECIPE + ", Poisson", r"\mu = \exp(\eta)", "X2", method="50 digits", case=precise(number))
def mean_of_the_poisson_family(z):
    weights = [exp(z * y) / mpmath.factorial(y) for y in range(150)]
    meaning = sum(y * weight for y, weight in enumerate(weights)) / sum(weights)
    formula = exp(z)
    return Holds(meaning, formula)
