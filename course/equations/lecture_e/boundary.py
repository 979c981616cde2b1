"""Equations 83 to 91: the log odds of Gaussian naive Bayes, and what it shares with logistic regression."""

import mpmath

from course.equations.calculus import dot, gradient
from course.equations.cases import fraction, fractions, probability
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_e.models import integral, sigmoid

FEATURES = range(2)
EQUAL = mpmath.mpf(1) / 2


def two_normals(rng):
    """x : two features; mu[y][i], sigma[y][i] of two classes; prior : p(y = 1), not 1/2 (13 is odd)."""
    sigma = [[fraction(rng, 3, 20) for _ in FEATURES] for _ in range(2)]
    return {"x": fractions(rng, 2), "mu": fractions(rng, 2, 2), "sigma": sigma, "prior": probability(rng)}


def class_densities(x, mu, sigma):
    """p(x | y) for y = 0 and 1."""
    return [mpmath.fprod(mpmath.npdf(x[i], mu[y][i], sigma[y][i]) for i in FEATURES) for y in (0, 1)]


def log_odds(x, mu, sigma, prior):
    """log p(y = 1 | x) / p(y = 0 | x), from the posterior."""
    zero, one = class_densities(x, mu, sigma)
    posterior = one * prior / (one * prior + zero * (1 - prior))
    return mpmath.log(posterior) - mpmath.log(1 - posterior)


def shared(sigma):
    """The standard deviations of class 0 for both classes."""
    return [sigma[0], sigma[0]]


@check("E83", "50 digits", two_normals)
def log_odds_by_bayes_rule(x, mu, sigma, prior):
    meaning = log_odds(x, mu, sigma, prior)
    zero, one = class_densities(x, mu, sigma)
    of_one, of_zero = prior, 1 - prior
    formula = mpmath.log((one * of_one) / (zero * of_zero))
    return Holds(meaning, formula)


@check("E84", "50 digits", two_normals)
def quadratic_log_odds(x, mu, sigma, prior):
    meaning = log_odds(x, mu, sigma, prior)
    theta_0, rows = prior, list(zip(x, *mu, *sigma, strict=True))
    formula = mpmath.log(theta_0 / (1 - theta_0)) + sum(
        mpmath.log(mpmath.sqrt(s_0**2 / s_1**2)) + ((x_i - m_0) ** 2 / (2 * s_0**2) - (x_i - m_1) ** 2 / (2 * s_1**2))
        for x_i, m_0, m_1, s_0, s_1 in rows
    )
    # With theta_0 = p(y = 0) the same formula gives the log odds of the other prior.
    return Conditional(meaning, formula, without=(log_odds(x, mu, sigma, 1 - prior), formula))


@check("E86", "50 digits", two_normals)
def log_odds_with_shared_variances(x, mu, sigma, prior):
    meaning = log_odds(x, mu, shared(sigma), EQUAL)
    rows = list(zip(x, *mu, sigma[0], strict=True))
    formula = sum(1 / (2 * s**2) * ((x_i - m_0) ** 2 - (x_i - m_1) ** 2) for x_i, m_0, m_1, s in rows)
    return Holds(meaning, formula)


@check("E87", "50 digits", two_normals)
def linear_log_odds(x, mu, sigma, prior):
    meaning = log_odds(x, mu, shared(sigma), EQUAL)
    rows = list(zip(x, *mu, sigma[0], strict=True))
    formula = sum((m_1 - m_0) / s**2 * x_i + (m_0**2 - m_1**2) / (2 * s**2) for x_i, m_0, m_1, s in rows)
    return Holds(meaning, formula)


@check("E88", "50 digits", two_normals)
def linear_log_odds_and_the_prior(x, mu, sigma, prior):
    meaning = log_odds(x, mu, shared(sigma), EQUAL)
    rows = list(zip(x, *mu, sigma[0], strict=True))
    formula = sum((m_1 - m_0) / s**2 * x_i + (m_0**2 - m_1**2) / (2 * s**2) for x_i, m_0, m_1, s in rows)
    return Conditional(meaning, formula, without=(log_odds(x, mu, shared(sigma), prior), formula))


@check("E89", "50 digits", two_normals)
def log_odds_are_affine(x, mu, sigma, prior):
    def at(*point):
        return log_odds(point, mu, shared(sigma), EQUAL)

    meaning = at(*x)
    theta = [at(0, 0), at(1, 0) - at(0, 0), at(0, 1) - at(0, 0)]
    formula = dot(theta, [1, *x])
    return Holds(meaning, formula)


@check("E90", "differences", two_normals)
def weights_of_gaussian_naive_bayes(x, mu, sigma, prior):
    meaning = gradient(lambda point: log_odds(point, mu, shared(sigma), prior), x)
    rows = list(zip(*mu, sigma[0], strict=True))
    formula = [(m_1 - m_0) / s**2 for m_0, m_1, s in rows]
    return Holds(meaning, formula)


@check("E91", "50 digits", two_normals)
def intercept_of_gaussian_naive_bayes(x, mu, sigma, prior):
    origin = [0, 0]
    meaning = log_odds(origin, mu, shared(sigma), EQUAL)
    rows = list(zip(*mu, sigma[0], strict=True))
    formula = sum((m_0**2 - m_1**2) / (2 * s**2) for m_0, m_1, s in rows)
    return Conditional(meaning, formula, without=(log_odds(origin, mu, shared(sigma), prior), formula))


def halfway_and_ends(x, mu, sigma, prior):
    """Log odds halfway between the origin and x, and at both."""
    halfway, *ends = (log_odds(point, mu, sigma, prior) for point in ([each / 2 for each in x], [0, 0], x))
    return halfway, ends


@check("E91a", "50 digits", two_normals)
def boundary_is_linear(x, mu, sigma, prior):
    # Affine log odds have a plane where they are 0: halfway between two points they are the mean of both.
    meaning, (left, right) = halfway_and_ends(x, mu, shared(sigma), prior)
    formula = (left + right) / 2
    curved, ends = halfway_and_ends(x, mu, sigma, prior)
    return Conditional(meaning, formula, without=(curved, sum(ends) / 2))


def overlapping(rng):
    """zeros, ones : values of a feature in two classes of four, on both sides of each other."""
    zeros = [fraction(rng, 1, 20) for _ in range(3)]
    ones = [fraction(rng, -20, -1) for _ in range(3)]
    return {"zeros": [*zeros, fraction(rng, -40, -30)], "ones": [*ones, fraction(rng, 30, 40)]}


@check("E91b", "50 digits", overlapping)
def weights_of_both_models_differ(zeros, ones):
    mean_0, mean_1 = (sum(values) / len(values) for values in (zeros, ones))
    squares = [(v - mean_0) ** 2 for v in zeros] + [(v - mean_1) ** 2 for v in ones]
    variance = sum(squares) / len(squares)
    weight, intercept = (mean_1 - mean_0) / variance, (mean_0**2 - mean_1**2) / (2 * variance)
    rows = [(v, 0) for v in zeros] + [(v, 1) for v in ones]
    errors = [(v, y - sigmoid(intercept + weight * v)) for v, y in rows]
    slope = abs(sum(error for _, error in errors)) + abs(sum(v * error for v, error in errors))
    tiny = mpmath.mpf("1e-40")
    meaning = True
    formula = slope > tiny
    return Holds(meaning, formula)


@check("E91c", "50 digits", two_normals)
def same_limit_of_both_models(x, mu, sigma, prior):
    (m_0, m_1), s = (mu[0][0], mu[1][0]), sigma[0][0]  # one feature is enough
    weight, intercept = (m_1 - m_0) / s**2, (m_0**2 - m_1**2) / (2 * s**2) + mpmath.log(prior / (1 - prior))

    def expected(f):
        low, high = min(m_0, m_1) - 16 * s, max(m_0, m_1) + 16 * s
        return integral(
            lambda t: f(t) * (prior * mpmath.npdf(t, m_1, s) + (1 - prior) * mpmath.npdf(t, m_0, s)), low, high, s / 3
        )

    meaning = [prior, prior * m_1]
    formula = [
        expected(lambda t: sigmoid(intercept + weight * t)),
        expected(lambda t: sigmoid(intercept + weight * t) * t),
    ]
    halfway, ends = halfway_and_ends(x, mu, sigma, prior)
    return Conditional(meaning, formula, without=(halfway, sum(ends) / 2))
