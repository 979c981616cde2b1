"""Equations 49 to 52: the gradient of the likelihood of a GLM, for three response distributions."""

from collections import namedtuple

import mpmath

from course.equations.calculus import derivative, dot, gradient, total
from course.equations.cases import fraction
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_e.models import bernoulli, normal_mean, poisson, poisson_mean, sigmoid

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
    meaning = [family.log_density(y_1, eta) for family, y_1 in families]
    formula = [eta * y_1 - family.A(eta) + family.log_h(y_1) for family, y_1 in families]
    printed = [eta * y_1 - family.A(eta) for family, y_1 in families]
    return Erratum(meaning, formula, printed)


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
