"""Linear regression: least squares, LMS, and the normal likelihood."""

import mpmath
from mpmath import exp, log, sqrt

from course.equations.calculus import derivative, dot, gradient, hessian, vector
from course.equations.cases import regression
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_c.cases import descent


def cost(x, y, theta):
    """J of C20."""
    return sum((dot(x_n, theta) - y_n) ** 2 for x_n, y_n in zip(x, y, strict=True)) / 2


def likelihood(x, y, theta, sigma):
    """Density of independent normal responses."""
    return mpmath.fprod(mpmath.npdf(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True))


@check("C19", "fractions", regression)
def intercept_as_weight_of_a_constant_feature(x, y, theta, sigma):
    meaning = [theta[0] + theta[1] * x1 + theta[2] * x2 for _, x1, x2 in x]
    formula = [dot(x_n, theta) for x_n in x]
    return Holds(meaning, formula)


@check("C22", "differences", descent)
def step_of_batch_descent(x, y, theta, alpha):
    slope = gradient(lambda t: cost(x, y, t), theta)
    meaning = [theta[j] - alpha * slope[j] for j in range(3)]
    rows = list(zip(x, y, strict=True))
    formula = [theta[j] + alpha * sum((y_n - dot(x_n, theta)) * x_n[j] for x_n, y_n in rows) for j in range(3)]
    return Holds(meaning, formula)


@check("C23", "differences", descent)
def step_of_lms(x, y, theta, alpha):
    slope = gradient(lambda t: cost(x[:1], y[:1], t), theta)
    meaning = [theta[j] - alpha * slope[j] for j in range(3)]
    x_n, y_n = x[0], y[0]
    formula = [theta[j] + alpha * (y_n - dot(x_n, theta)) * x_n[j] for j in range(3)]
    n = 0
    printed = [theta[n] + alpha * (y_n - dot(x_n, theta)) * x_n[j] for j in range(3)]
    return Erratum(meaning, formula, printed)


@check("C25", "differences", regression)
def density_of_a_response(x, y, theta, sigma):
    x_n, y_n = x[0], y[0]
    meaning = derivative(lambda t: mpmath.ncdf((t - dot(theta, x_n)) / sigma), y_n)
    formula = 1 / (sqrt(2 * mpmath.pi) * sigma) * exp(-((y_n - dot(theta, x_n)) ** 2) / (2 * sigma**2))
    return Holds(meaning, formula)


@check("C26b", "50 digits", regression)
def product_of_normal_densities(x, y, theta, sigma):
    """Compared as logarithms: the likelihood itself is so small that any two would agree."""
    N, rows = len(y), list(zip(x, y, strict=True))
    meaning = log(likelihood(x, y, theta, sigma))
    formula = log(
        (1 / (sqrt(2 * mpmath.pi) * sigma)) ** N
        * exp(-sum((y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows) / (2 * sigma**2))
    )
    return Holds(meaning, formula)


@check("C27", "50 digits", regression)
def normal_log_likelihood(x, y, theta, sigma):
    N, half, rows = len(y), mpmath.mpf(1) / 2, list(zip(x, y, strict=True))
    meaning = log(likelihood(x, y, theta, sigma))
    squares = sum((y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows)
    formula = N * log(1 / (sqrt(2 * mpmath.pi) * sigma)) - 1 / sigma**2 * half * sum(
        (y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows
    )
    printed = N * log(1 / sqrt(2 * mpmath.pi * sigma)) - squares / (2 * sigma**2)
    return Erratum(meaning, formula, printed)


@check("C28", "differences", regression)
def most_likely_weights_are_those_of_least_squares(x, y, theta, sigma):
    def log_likelihood(t):
        return log(likelihood(x, y, t, sigma))

    slope, bend = gradient(log_likelihood, theta), hessian(log_likelihood, theta)
    step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
    meaning = [a - b for a, b in zip(theta, step, strict=True)]
    formula = vector(mpmath.qr_solve(mpmath.matrix(x), mpmath.matrix(y))[0])
    return Holds(meaning, formula)
