"""From normal classes with shared variances to the logistic function and the softmax."""

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_c.cases import shared_variances
from course.equations.lecture_c.normal import shares


def posterior(pi, mu, sigma, x):
    """p(y = k | x) by Bayes' theorem, for independent normal features with standard deviations sigma."""
    return shares([p * mpmath.fprod(map(mpmath.npdf, x, m, sigma)) for p, m in zip(pi, mu, strict=True)])


def two(pi, mu):
    """The first two of the classes."""
    return shares(pi[:2]), mu[:2]


def weights(pi, mu, sigma):
    """theta_k of one class: the coefficients of 1 and of x in log pi_k N(x | mu_k, sigma), up to what classes share."""
    constant = log(pi) - sum(m**2 / (2 * s**2) for m, s in zip(mu, sigma, strict=True))
    return [constant, *(m / s**2 for m, s in zip(mu, sigma, strict=True))]


def difference(pi, mu, sigma):
    """theta_1 - theta_2."""
    first, second = (weights(p, m, sigma) for p, m in zip(pi, mu, strict=True))
    return [a - b for a, b in zip(first, second, strict=True)]


@check("C12a", "50 digits", shared_variances)
def posterior_odds_of_two_classes(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    q1, q2 = (
        sum((t - m) ** 2 / (2 * s**2) + log(s) for t, m, s in zip(x, of_class, sigma, strict=True)) for of_class in mu
    )
    formula = 1 / (1 + pi[1] * exp(-q2) / (pi[0] * exp(-q1)))
    return Holds(meaning, formula)


@check("C12b", "50 digits", shared_variances)
def posterior_of_two_classes_is_logistic(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    features = list(zip(x, *mu, sigma, strict=True))
    formula = 1 / (
        1
        + exp(
            -sum((a - b) / s**2 * t - (a**2 - b**2) / (2 * s**2) for t, a, b, s in features) + log((1 - pi[0]) / pi[0])
        )
    )
    exponent = -sum((a - b) / s**2 * t + (a**2 - b**2) / s**2 for t, a, b, s in features) + log((1 - pi[0]) / pi[0])
    printed = 1 / (1 + exp(exponent))
    return Erratum(meaning, formula, printed)


@check("C13a", "50 digits", shared_variances)
def logistic_posterior_with_intercept(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    intercept, *theta = difference(pi, mu, sigma)
    formula = 1 / (1 + exp(-dot(theta, x) - intercept))
    printed = 1 / (1 + exp(-sum(theta) * x[0] - intercept))  # with the first feature for j
    return Erratum(meaning, formula, printed)


@check("C13b", "50 digits", shared_variances)
def logistic_posterior(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    theta, x = difference(pi, mu, sigma), [1, *x]
    formula = 1 / (1 + exp(-dot(theta, x)))
    return Holds(meaning, formula)


@check("C14a", "50 digits", shared_variances)
def log_odds_of_two_classes(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    first, second = posterior(pi, mu, sigma, x)
    meaning = log(first / second)
    score = dot(difference(pi, mu, sigma), [1, *x])
    formula = log((1 / (1 + exp(-score))) / (exp(-score) / (1 + exp(-score))))
    return Holds(meaning, formula)


@check("C14b", "50 digits", shared_variances)
def log_odds_are_linear(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    first, second = posterior(pi, mu, sigma, x)
    meaning = log(first / second)
    theta = difference(pi, mu, sigma)
    formula = dot(theta, [1, *x])
    return Holds(meaning, formula)


@check("C15", "50 digits", shared_variances)
def posterior_of_many_classes_is_a_softmax(pi, mu, sigma, x):
    meaning = posterior(pi, mu, sigma, x)
    score = [dot(weights(p, m, sigma), [1, *x]) for p, m in zip(pi, mu, strict=True)]
    cost = [0 - each for each in score]
    formula = [exp(-cost[k]) / sum(exp(-cost[c]) for c in range(3)) for k in range(3)]
    with_scores = shares([exp(-each) for each in score])
    return Conditional(meaning, formula, without=(meaning, with_scores))
