"""Equations 28 to 37 and 49 to 52: exponential families, Poisson regression, the gradient of a GLM."""

from collections import namedtuple

import mpmath

from course.equations.calculus import derivative, dot, gradient, total
from course.equations.cases import fraction
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_e.models import bernoulli, normal_mean, poisson, poisson_mean, sigmoid


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


# log_density : log p(y; eta) from its usual parameter; A, log_h : as in eq. 28; mean : E[Y], summed or integrated.
Family = namedtuple("Family", "log_density A log_h mean")
FAMILIES = (
    Family(
        lambda y, eta: mpmath.log(bernoulli(y, sigmoid(eta))),
        lambda eta: mpmath.log(1 + mpmath.exp(eta)),
        lambda y: 0,
        lambda eta: sum(y * bernoulli(y, sigmoid(eta)) for y in (0, 1)),
    ),
    Family(
        lambda y, eta: mpmath.log(poisson(mpmath.exp(eta), 6)[y]),
        mpmath.exp,
        lambda y: -mpmath.log(mpmath.factorial(y)),
        lambda eta: poisson_mean(mpmath.exp(eta)),
    ),
    Family(
        lambda y, eta: mpmath.log(mpmath.npdf(y, eta, 1)),
        lambda eta: eta**2 / 2,
        lambda y: mpmath.log(mpmath.npdf(y, 0, 1)),
        lambda eta: normal_mean(eta, mpmath.mpf(1)),
    ),
)


def responses(rng):
    """x : two rows of two features, the first 1; y : two responses for each family; theta : two weights."""
    y = [
        [int(each) for each in rng.permutation(2)],
        [2, int(rng.integers(0, 6))],
        [fraction(rng), fraction(rng)],
    ]
    x = [[1, fraction(rng, -7, 7)] for _ in range(2)]
    return {"x": x, "y": y, "theta": [fraction(rng, -7, 7), fraction(rng, -7, 7)]}


@check("E49", "50 digits", responses)
def log_likelihood_of_an_exponential_family(x, y, theta):
    eta = dot(theta, x[0])
    families = [(family, y_f[0]) for family, y_f in zip(FAMILIES, y, strict=True)]
    whole = [family.log_density(y_1, eta) for family, y_1 in families]
    meaning = [each - family.log_h(y_1) for each, (family, y_1) in zip(whole, families, strict=True)]
    formula = [eta * y_1 - family.A(eta) for family, y_1 in families]
    return Conditional(meaning, formula, without=(whole, formula))


def slopes_by_differences(x, y, theta):
    """Gradient of the log likelihood of two examples, for each family."""
    return [
        gradient(lambda t, f=f, y_f=y_f: total([f.log_density(y_f[n], dot(t, x[n])) for n in (0, 1)]), theta)
        for f, y_f in zip(FAMILIES, y, strict=True)
    ]


def rows(x, y, theta):
    """For each family: itself, and the two examples as features, response and eta."""
    return [
        (family, [(x_n, y_n, dot(theta, x_n)) for x_n, y_n in zip(x, y_f, strict=True)])
        for family, y_f in zip(FAMILIES, y, strict=True)
    ]


@check("E50", "differences", responses)
def gradient_by_the_chain_rule(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        total(
            [
                [
                    derivative(lambda e, f=f, y_n=y_n: f.log_density(y_n, e), eta) * slope
                    for slope in gradient(lambda t, x_n=x_n: dot(t, x_n), theta)
                ]
                for x_n, y_n, eta in examples
            ]
        )
        for f, examples in rows(x, y, theta)
    ]
    return Holds(meaning, formula)


@check("E51", "differences", responses)
def gradient_with_the_log_partition_function(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        total([[(y_n - derivative(f.A, eta)) * x_i for x_i in x_n] for x_n, y_n, eta in examples])
        for f, examples in rows(x, y, theta)
    ]
    return Holds(meaning, formula)


@check("E52", "differences", responses)
def gradient_with_the_mean(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        total([[(y_n - f.mean(eta)) * x_i for x_i in x_n] for x_n, y_n, eta in examples])
        for f, examples in rows(x, y, theta)
    ]
    return Holds(meaning, formula)
