"""Equations 28 to 32: exponential families, and how a GLM is made of one."""

import mpmath

from course.equations.calculus import derivative, dot
from course.equations.cases import fraction, precise
from course.equations.entry import Conditional, Lecture
from course.equations.lecture_e.models import poisson_mean

lecture = Lecture("E")
lecture.definition(
    "E28",
    "eq. 28",
    r"p(y; \boldsymbol\eta) = h(y) \exp(\boldsymbol\eta^\top T(y) - A(\boldsymbol\eta))",
    "X1",
    "the label of A reads normalizer: it is the logarithm of one",
)


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


@lecture.condition(
    "E29",
    "eq. 29",
    r"\mu = \mathbb E[Y] = \psi^{-1}(\eta), \quad \eta = \psi(\mu)",
    "X1",
    "if T(y) = y and Y is not constant: then the mean tells η; with T(y) = y² on -1, 0, 1 it is 0 for each η",
    method="50 digits",
    case=precise(four_values),
)
def mean_tells_the_natural_parameter(h, eta):
    values = range(4)
    mu = mean(h, values, values, eta)
    meaning = eta
    formula = mpmath.findroot(lambda t: mean(h, values, values, t) - mu, (-9, 9), solver="bisect", maxsteps=200)
    one, two = (mean([1, 1, 1], [-1, 0, 1], [1, 0, 1], t) for t in (eta, eta + 1))
    return Conditional(meaning, formula, without=(True, one != two))


@lecture.condition(
    "E30",
    "eq. 30",
    r"\mu = A'(\eta)",
    "X1",
    "if T(y) = y; in general A' is the mean of T(Y)",
    method="differences",
    case=precise(four_values),
)
def mean_from_the_log_partition_function(h, eta):
    values, squares = range(4), [0, 1, 4, 9]
    meaning = mean(h, values, values, eta)
    formula = derivative(lambda t: log_partition(h, values, t), eta)
    of_squares = derivative(lambda t: log_partition(h, squares, t), eta)
    return Conditional(meaning, formula, without=(mean(h, values, squares, eta), of_squares))


lecture.definition(
    "E31",
    "eq. 31",
    r"Y \mid X = \mathbf x; \boldsymbol\theta \sim \operatorname{ExponentialFamily}(\eta), \quad \eta = \boldsymbol\theta^\top \mathbf x",
    "X2",
)
lecture.definition(
    "E32",
    "eq. 32",
    r"f(\eta) = \mu = \mathbb E[Y \mid X = \mathbf x]",
    "X2",
    "the lecture calls f a link; the usual name is response function, and the link is its inverse",
)


def natural_parameter(rng):
    """eta : below 3 in size."""
    return {"eta": fraction(rng)}


@lecture.condition(
    "E32a",
    "below eq. 32",
    r"\psi^{-1} \text{ is the canonical link: } \psi^{-1}(\eta) = \mathbb E[Y \mid X = \mathbf x]",
    "X2",
    "if a link is what takes η to the mean, as eq. 32 has it. In the usual sense, and in that of eq. 45, a link takes the mean to η, the canonical one "
    "is ψ, for counts the logarithm, and its inverse is the canonical response function",
    method="50 digits",
    case=precise(natural_parameter),
)
def canonical_link_of_counts(eta):
    mu = poisson_mean(mpmath.exp(eta))
    meaning = mu
    formula = mpmath.exp(eta)
    return Conditional(meaning, formula, without=(eta, mpmath.exp(mu)))


lecture.definition("E32b", "below eq. 32", r"h(\mathbf x) = \mathbb E[Y \mid X = \mathbf x] = f(\eta)", "X2")
