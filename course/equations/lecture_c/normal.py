"""Normal classes: densities, the naive simplification, posteriors; with shared variances, the softmax."""

from fractions import Fraction
from itertools import product

import mpmath
from mpmath import exp, log, sqrt

from course.equations.calculus import derivative, dot, vector
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_c.cases import (
    independent_features,
    naive_classes,
    normal_classes,
    one_feature,
    population,
    shared_variances,
)


def density_from_cdf(x, mean, sigma):
    """The normal density as what it is: the slope of the distribution function."""
    return derivative(lambda t: mpmath.ncdf(t, mean, sigma), x)


def density_from_standard(x, mean, lower):
    """Density of mean + L z at x for independent standard normal z: theirs, over the change of area |det L|."""
    z = vector(mpmath.lu_solve(mpmath.matrix(lower), mpmath.matrix(x) - mpmath.matrix(mean)))
    return mpmath.fprod(map(mpmath.npdf, z)) / abs(mpmath.det(mpmath.matrix(lower)))


def quadratic_form(x, mean, covariance):
    """(x - mean)' covariance^-1 (x - mean)."""
    gap = mpmath.matrix(x) - mpmath.matrix(mean)
    return (gap.T * mpmath.lu_solve(covariance, gap))[0]


def shares(weights):
    """Weights over their sum."""
    return [each / sum(weights) for each in weights]


@check("C3b", "differences", one_feature)
def joint_density_of_a_normal_class(pi, mu, sigma, x):
    meaning = [p * density_from_cdf(x, m, sigma) for p, m in zip(pi, mu, strict=True)]
    formula = [
        p * (1 / sqrt(2 * mpmath.pi * sigma**2)) * exp(-(1 / (2 * sigma**2)) * (x - m) ** 2)
        for p, m in zip(pi, mu, strict=True)
    ]
    printed = [
        p * (1 / sqrt(2 * mpmath.pi * sigma**2)) * exp((1 / (2 * sigma**2)) * (x - m) ** 2)
        for p, m in zip(pi, mu, strict=True)
    ]
    return Erratum(meaning, formula, printed)


@check("C4", "differences", one_feature)
def posterior_of_a_normal_class(pi, mu, sigma, x):
    meaning = shares([p * density_from_cdf(x, m, sigma) for p, m in zip(pi, mu, strict=True)])
    scale = 1 / sqrt(2 * mpmath.pi * sigma**2)
    formula = [
        pi[k]
        * scale
        * exp(-((x - mu[k]) ** 2) / (2 * sigma**2))
        / sum(pi[c] * scale * exp(-((x - mu[c]) ** 2) / (2 * sigma**2)) for c in range(3))
        for k in range(3)
    ]
    density = [scale * exp(-((x - m) ** 2) / (2 * sigma**2)) for m in mu]
    printed = [pi[k] * density[k] / sum(pi[c] * density[k] for c in range(3)) for k in range(3)]
    return Erratum(meaning, formula, printed)


@check("C7", "50 digits", normal_classes)
def joint_density_of_a_normal_class_in_the_plane(pi, mu, lower, x):
    d, covariance = 2, mpmath.matrix(lower[0]) * mpmath.matrix(lower[0]).T
    size, form = mpmath.det(covariance), quadratic_form(x, mu[0], covariance)
    meaning = pi[0] * density_from_standard(x, mu[0], lower[0])
    formula = pi[0] * (1 / ((2 * mpmath.pi) ** (mpmath.mpf(d) / 2) * sqrt(size))) * exp(-form / 2)
    printed = pi[0] * (1 / sqrt(2 * mpmath.pi * size)) * exp(-form / 2)
    return Erratum(meaning, formula, printed)


@check("C8b", "differences", naive_classes)
def joint_density_of_independent_normal_features(pi, mu, sigma, x):
    features = list(zip(x, mu[0], sigma[0], strict=True))
    meaning = pi[0] * mpmath.fprod(density_from_cdf(*each) for each in features)
    formula = pi[0] * mpmath.fprod(
        (1 / sqrt(2 * mpmath.pi * s**2)) * exp(-(1 / (2 * s**2)) * (t - m) ** 2) for t, m, s in features
    )
    printed = pi[0] * mpmath.fprod(
        (1 / sqrt(2 * mpmath.pi * s**2)) * exp((1 / (2 * s**2)) * (t - m) ** 2) for t, m, s in features
    )
    return Erratum(meaning, formula, printed)


@check("C9", "fractions", independent_features)
def joint_probability_of_features_of_any_kind(pi, features):
    """features[j][y] : a list of equally likely values of feature j in class y."""
    draws = {y: list(product(*(feature[y] for feature in features))) for y in (0, 1)}
    x = [feature[0][0] for feature in features]
    meaning = [pi[y] * Fraction(draws[y].count(tuple(x)), len(draws[y])) for y in (0, 1)]
    p = [
        [Fraction(feature[y].count(x_j), len(feature[y])) for x_j, feature in zip(x, features, strict=True)]
        for y in (0, 1)
    ]
    formula = [pi[y] * (p[y][0] * p[y][1] * p[y][2]) for y in (0, 1)]
    first = 0  # whichever feature j is taken to be, it is the same in all factors
    printed = [pi[y] * p[y][first] ** 3 for y in (0, 1)]
    return Erratum(meaning, formula, printed)


@check("C10a", "fractions", population)
def share_of_a_class_from_joint_and_evidence(count):
    everyone = sum(map(sum, count))
    joint = [[Fraction(n, everyone) for n in row] for row in count]
    evidence = [Fraction(sum(column), everyone) for column in zip(*count, strict=True)]
    meaning = [[Fraction(row[x], sum(each[x] for each in count)) for x in range(4)] for row in count]
    formula = [[row[x] / evidence[x] for x in range(4)] for row in joint]
    return Holds(meaning, formula)


@check("C10b", "50 digits", normal_classes)
def posterior_of_classes_with_their_own_covariances(pi, mu, lower, x):
    meaning = shares([p * density_from_standard(x, m, low) for p, m, low in zip(pi, mu, lower, strict=True)])
    covariance = [mpmath.matrix(low) * mpmath.matrix(low).T for low in lower]
    normal = [
        exp(-quadratic_form(x, m, c) / 2) / (2 * mpmath.pi * sqrt(mpmath.det(c)))
        for m, c in zip(mu, covariance, strict=True)
    ]
    formula = [pi[k] * normal[k] / sum(pi[other] * normal[other] for other in range(2)) for k in range(2)]
    printed = [pi[k] * normal[k] / sum(pi[k] * normal[other] for other in range(2)) for k in range(2)]
    return Erratum(meaning, formula, printed)


@check("C11", "50 digits", naive_classes)
def posterior_under_naive_bayes(pi, mu, sigma, x):
    density = [mpmath.fprod(map(mpmath.npdf, x, mu[k], sigma[k])) for k in range(3)]
    meaning = shares([p * each for p, each in zip(pi, density, strict=True)])
    C = log(2 * mpmath.pi) / 2
    of = [list(zip(x, mu[k], sigma[k], strict=True)) for k in range(3)]
    formula = [
        pi[k]
        * exp(-sum((t - m) ** 2 / (2 * s**2) + log(s) + C for t, m, s in of[k]))
        / sum(pi[c] * exp(-sum((t - m) ** 2 / (2 * s**2) + log(s) + C for t, m, s in of[c])) for c in range(3))
        for k in range(3)
    ]

    def as_printed(k, mean):
        """The term of class k, with the mean of class `mean`."""
        features = zip(x, mu[mean], sigma[k], strict=True)
        return pi[k] * exp(-sum((t - m) ** 2 / (2 * s**2) - log(s) - C for t, m, s in features))

    printed = [as_printed(k, k) / sum(as_printed(c, k) for c in range(3)) for k in range(3)]
    return Erratum(meaning, formula, printed)


@check("C47", "50 digits", naive_classes)
def posterior_of_two_classes_that_differ_in_variance(pi, mu, sigma, x):
    """One feature and two classes are enough to see the sign."""
    x, pi, mu, sigma = x[0], shares(pi[:2]), [mu[0][0], mu[1][0]], [sigma[0][0], sigma[1][0]]
    meaning = shares([pi[k] * mpmath.npdf(x, mu[k], sigma[k]) for k in range(2)])
    formula = [
        pi[k]
        * exp(-((x - mu[k]) ** 2 / (2 * sigma[k] ** 2) + log(sigma[k])))
        / sum(pi[c] * exp(-((x - mu[c]) ** 2 / (2 * sigma[c] ** 2) + log(sigma[c]))) for c in range(2))
        for k in range(2)
    ]
    printed = shares([pi[k] * exp(-((x - mu[k]) ** 2 / (2 * sigma[k] ** 2) - log(sigma[k]))) for k in range(2)])
    return Erratum(meaning, formula, printed)


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
