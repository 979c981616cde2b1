"""Equations 33 to 37: the Poisson distribution as an exponential family, and its regression."""

import mpmath

from course.equations.calculus import dot
from course.equations.cases import fraction, precise
from course.equations.entry import Holds, Lecture
from course.equations.lecture_e.models import poisson, poisson_mean

lecture = Lecture("E")
lecture.definition("E33", "eq. 33", r"p(Y = k; \lambda) = \frac{\lambda^k e^{-\lambda}}{k!}", "X3")
COUNTS = range(6)


def rate(rng):
    """lam : a positive rate."""
    return {"lam": fraction(rng, 1, 20)}


@lecture.holds("E33a", "below eq. 33", r"\mathbb E[Y] = \lambda", "X3", method="50 digits", case=precise(rate))
def mean_of_the_poisson_distribution(lam):
    meaning = poisson_mean(lam)
    formula = lam
    return Holds(meaning, formula)


lecture.definition(
    "E33b",
    "above eq. 34",
    r"Y \mid X = \mathbf x \sim \operatorname{Poisson}(\eta), \quad \eta = \boldsymbol\theta^\top \mathbf x",
    "X3",
    "η is the natural parameter, not the λ of eq. 33; there is a mark of a footnote, whose text the conversion has lost",
)


@lecture.holds(
    "E34",
    "eq. 34",
    r"p(y; \eta) = \exp \log \frac{\lambda^y e^{-\lambda}}{y!}",
    "X3",
    method="50 digits",
    case=precise(rate),
)
def poisson_probability(lam):
    meaning = poisson(lam, 6)
    formula = [mpmath.exp(mpmath.log(lam**y * mpmath.exp(-lam) / mpmath.factorial(y))) for y in COUNTS]
    return Holds(meaning, formula)


@lecture.holds(
    "E35",
    "eq. 35",
    r"p(y; \eta) = \exp(y \log \lambda - \lambda - \log y!)",
    "X3",
    method="50 digits",
    case=precise(rate),
)
def poisson_probability_as_one_exponential(lam):
    meaning = poisson(lam, 6)
    formula = [mpmath.exp(y * mpmath.log(lam) - lam - mpmath.log(mpmath.factorial(y))) for y in COUNTS]
    return Holds(meaning, formula)


@lecture.holds(
    "E36",
    "eq. 36",
    r"p(y; \eta) = h(y) \exp(\eta T(y) - A(\eta)), \quad h(y) = \tfrac1{y!}, \quad T(y) = y, \quad A(\eta) = e^\eta",
    "X3",
    "the lecture only says to compare; what the comparison gives is filled in",
    method="50 digits",
    case=precise(rate),
)
def poisson_as_an_exponential_family(lam):
    eta = mpmath.log(lam)
    meaning = poisson(lam, 6)
    formula = [1 / mpmath.factorial(y) * mpmath.exp(eta * y - mpmath.exp(eta)) for y in COUNTS]
    return Holds(meaning, formula)


def weights_of_a_rate(rng):
    """theta, x : two numbers each, of at most 1, so that the rate is small."""
    return {"theta": [fraction(rng, -7, 7), fraction(rng, -7, 7)], "x": [1, fraction(rng, -7, 7)]}


@lecture.holds(
    "E37",
    "eq. 37",
    r"\eta = \log \lambda \implies f(\boldsymbol\theta^\top \mathbf x) = \exp(\boldsymbol\theta^\top \mathbf x)",
    "X3",
    method="50 digits",
    case=precise(weights_of_a_rate),
)
def response_of_poisson_regression(theta, x):
    # The mean of the family h(y) exp(eta y), normalised by its sum.
    weights = [mpmath.exp(dot(theta, x) * y) / mpmath.factorial(y) for y in range(100)]
    meaning = dot(range(100), weights) / sum(weights)
    formula = mpmath.exp(dot(theta, x))
    return Holds(meaning, formula)


@lecture.holds(
    "E37a",
    "below eq. 37",
    r"f: \mathbb R \to (0, \infty)",
    "X3",
    method="50 digits",
    case=precise(weights_of_a_rate),
)
def rate_is_positive(theta, x):
    # A rate makes a distribution of counts if each count is possible.
    etas = [scale * dot(theta, x) for scale in (-20, -1, 1, 20)]
    meaning = [min(poisson(mpmath.exp(eta), 6)) > 0 for eta in etas]
    formula = [mpmath.exp(eta) > 0 for eta in etas]
    return Holds(meaning, formula)
