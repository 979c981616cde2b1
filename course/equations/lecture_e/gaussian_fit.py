"""Equations 73 to 82: Gaussian naive Bayes and its maximum likelihood."""

from fractions import Fraction
from itertools import product
from math import prod

import mpmath

from course.equations.calculus import derivative, total
from course.equations.cases import distribution, fraction, fractions
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_e.models import normal_density

CLASSES, FEATURES = range(3), range(2)


def three_classes(rng):
    """x : two features of six rows, no value twice; y : three classes; mu[i][k], sigma[i][k], theta[k]."""
    columns = [[Fraction(int(each), 7) for each in rng.choice(40, 6, replace=False) - 20] for _ in FEATURES]
    return {
        "x": [list(row) for row in zip(*columns, strict=True)],
        "y": [int(each) for each in rng.permutation([0, 0, 1, 1, 1, 2])],
        "mu": fractions(rng, 2, 3),
        "sigma": [[fraction(rng, 3, 20) for _ in CLASSES] for _ in FEATURES],
        "theta": distribution(rng, 3),
    }


def likelihood(x, y, mu, sigma, theta):
    """Product over the rows of p(y) and the density of the whole row, a normal vector with a diagonal covariance."""
    return prod(
        theta[y_n] * normal_density(x_n, [mu_i[y_n] for mu_i in mu], [sigma_i[y_n] for sigma_i in sigma])
        for x_n, y_n in zip(x, y, strict=True)
    )


def cells(x, y):
    """Feature, class and value of each number of the data, row by row."""
    return [[(i, y_n, x_n[i]) for i in FEATURES] for x_n, y_n in zip(x, y, strict=True)]


@check("E75", "50 digits", three_classes)
def likelihood_as_a_product(x, y, mu, sigma, theta):
    meaning = likelihood(x, y, mu, sigma, theta)
    rows = list(zip(y, cells(x, y), strict=True))
    formula = prod(theta[y_n] * prod(mpmath.npdf(v, mu[i][k], sigma[i][k]) for i, k, v in row) for y_n, row in rows)
    return Holds(1, formula / meaning)  # both are tiny


@check("E76", "50 digits", three_classes)
def likelihood_with_the_densities(x, y, mu, sigma, theta):
    meaning = likelihood(x, y, mu, sigma, theta)
    root = mpmath.sqrt(2 * mpmath.pi)
    rows = list(zip(y, cells(x, y), strict=True))
    formula = prod(
        theta[y_n]
        * prod(
            1 / (root * sigma[i][k]) * mpmath.exp(-1 / (2 * sigma[i][k] ** 2) * (v - mu[i][k]) ** 2) for i, k, v in row
        )
        for y_n, row in rows
    )
    return Holds(1, formula / meaning)  # both are tiny


@check("E77", "50 digits", three_classes)
def log_likelihood_of_gaussian_naive_bayes(x, y, mu, sigma, theta):
    meaning = mpmath.log(likelihood(x, y, mu, sigma, theta))
    root = mpmath.sqrt(2 * mpmath.pi)
    numbers = [cell for row in cells(x, y) for cell in row]
    formula = sum(mpmath.log(theta[y_n]) for y_n in y) + sum(
        mpmath.log(1 / (root * sigma[i][k])) - 1 / (2 * sigma[i][k] ** 2) * (v - mu[i][k]) ** 2 for i, k, v in numbers
    )
    return Holds(meaning, formula)


def log_likelihood(x, y, mu, sigma, theta):
    """Sum of the logarithms of all probabilities and densities."""
    numbers = [cell for row in cells(x, y) for cell in row]
    return total([mpmath.log(theta[y_n]) for y_n in y]) + total(
        [mpmath.log(mpmath.npdf(v, mu[i][k], sigma[i][k])) for i, k, v in numbers]
    )


def replaced(parameters, j, k, value):
    """mu or sigma with another number for feature j and class k."""
    return [[value if (i, c) == (j, k) else parameters[i][c] for c in CLASSES] for i in FEATURES]


def slopes_by_differences(x, y, mu, sigma, theta):
    """Derivatives of the log likelihood in each mu[j][k]."""
    return {
        (j, k): derivative(lambda m, j=j, k=k: log_likelihood(x, y, replaced(mu, j, k, m), sigma, theta), mu[j][k])
        for j, k in product(FEATURES, CLASSES)
    }


def of_class(x, y, j, k):
    """The values of feature j in class k."""
    return [x_n[j] for x_n, y_n in zip(x, y, strict=True) if y_n == k]


@check("E78", "differences", three_classes)
def terms_that_depend_on_a_mean(x, y, mu, sigma, theta):
    meaning = slopes_by_differences(x, y, mu, sigma, theta)
    formula = {
        (j, k): derivative(
            lambda m, j=j, k=k: sum(1 / (-2 * sigma[j][k] ** 2) * (v - m) ** 2 for v in of_class(x, y, j, k)), mu[j][k]
        )
        for j, k in meaning
    }
    return Holds(meaning, formula)


@check("E79", "differences", three_classes)
def derivative_in_a_mean(x, y, mu, sigma, theta):
    meaning = slopes_by_differences(x, y, mu, sigma, theta)
    formula = {(j, k): sum(1 / sigma[j][k] ** 2 * (v - mu[j][k]) for v in of_class(x, y, j, k)) for j, k in meaning}
    return Holds(meaning, formula)


@check("E80", "differences", three_classes)
def best_mean(x, y, mu, sigma, theta):
    def slope(m):
        return derivative(lambda t: log_likelihood(x, y, replaced(mu, 1, 1, t), sigma, theta), m)

    values = of_class(x, y, 1, 1)
    meaning = mpmath.findroot(slope, (-1, 1))
    formula = sum(values) / sum(1 for _ in values)
    return Holds(meaning, formula)


@check("E81", "differences", three_classes)
def best_variance(x, y, mu, sigma, theta):
    values = of_class(x, y, 1, 1)
    mean = sum(values) / len(values)
    at_the_mean = replaced(mu, 1, 1, mean)

    def slope(s):
        return derivative(lambda t: log_likelihood(x, y, at_the_mean, replaced(sigma, 1, 1, t), theta), s)

    spread = max(values) - min(values)
    meaning = mpmath.findroot(slope, (spread / 3, spread / 2), tol=1e-30) ** 2
    formula = sum((v - mean) ** 2 for v in values) / sum(1 for _ in values)
    printed = formula**2
    return Erratum(meaning, formula, printed)


@check("E82", "fractions", three_classes)
def best_class_prior(x, y, mu, sigma, theta):
    count = len(y)
    # All priors in sixths: the likelihood of the labels under each.
    priors = [(a, b, count - a - b) for a in range(count + 1) for b in range(count + 1 - a)]
    most = max(priors, key=lambda each: prod(each[y_n] for y_n in y))
    meaning = [Fraction(each, count) for each in most]
    formula = [Fraction(sum(1 for y_n in y if y_n == k)) / count for k in CLASSES]
    return Holds(meaning, formula)
