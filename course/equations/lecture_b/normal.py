"""Multivariate normal distribution, and the model of Gaussian discriminant analysis (GDA)."""

from itertools import product
from math import prod

import mpmath

from course.equations.calculus import total
from course.equations.counting import share
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_b.cases import four_points, gda, messages, normal_in_three_dimensions

exp, log, pi, sqrt = mpmath.exp, mpmath.log, mpmath.pi, mpmath.sqrt
half = mpmath.mpf("0.5")


def density(x, mu, root):
    """Density of mu + root z at x, where z are independent standard normal numbers: those of z over the stretching."""
    A = mpmath.matrix(root)
    z = mpmath.lu_solve(A, mpmath.matrix([a - b for a, b in zip(x, mu, strict=True)]))
    return mpmath.fprod(mpmath.npdf(each) for each in z) / abs(mpmath.det(A))


def covariance(root):
    A = mpmath.matrix(root)
    return A * A.T


def quadratic_form(x, mu, S):
    """(x - mu)^T S^-1 (x - mu)."""
    r = mpmath.matrix([a - b for a, b in zip(x, mu, strict=True)])
    return (r.T * mpmath.lu_solve(S, r))[0]


def integral(f, mu, root):
    """Integral of f over the plane by Gauss and Hermite's rule: exact for a polynomial times that normal density."""
    rule = [(-sqrt(3), mpmath.mpf(1) / 6), (mpmath.mpf(0), mpmath.mpf(2) / 3), (sqrt(3), mpmath.mpf(1) / 6)]
    stretch = abs(mpmath.det(mpmath.matrix(root)))
    terms = []
    for (s, weight_s), (t, weight_t) in product(rule, rule):
        x = [m + row[0] * s + row[1] * t for m, row in zip(mu, root, strict=True)]
        weight = weight_s * weight_t * stretch / (mpmath.npdf(s) * mpmath.npdf(t))
        terms.append([weight * each for each in f(x)])
    return total(terms)


def printed_density(x, mu, S):
    n = len(x)
    return exp(-half * quadratic_form(x, mu, S)) / ((2 * pi) ** (half * n) * sqrt(mpmath.det(S)))


@check("B4", "50 digits", normal_in_three_dimensions)
def density_of_stretched_standard_normal_numbers(x, mu, root):
    S = covariance(root)
    n = len(x)
    meaning = density(x, mu, root)
    formula = 1 / ((2 * pi) ** (n / 2) * sqrt(mpmath.det(S))) * exp(-half * quadratic_form(x, mu, S))
    flat = covariance([[1, 0], [1, 0]])
    return Conditional(meaning, formula, without=(True, mpmath.det(flat) > 0))


@check("B5", "50 digits", gda)
def mean_by_quadrature(x, y, phi, mu, root):
    S = covariance(root)
    meaning = integral(lambda v: [each * printed_density(v, mu[0], S) for each in v], mu[0], root)
    formula = mu[0]
    return Holds(meaning, formula)


@check("B6a", "50 digits", gda)
def covariance_by_quadrature(x, y, phi, mu, root):
    S = covariance(root)

    def squares(v):
        r = [a - b for a, b in zip(v, mu[0], strict=True)]
        return [r[j] * r[k] * printed_density(v, mu[0], S) for j, k in product((0, 1), repeat=2)]

    meaning = integral(squares, mu[0], root)
    formula = [S[j, k] for j, k in product((0, 1), repeat=2)]
    return Holds(meaning, formula)


@check("B6c", "fractions", four_points)
def covariance_from_second_moments(values, p):
    mean = total([[p_v * each for each in v] for v, p_v in zip(values, p, strict=True)])
    pairs = list(product((0, 1), repeat=2))
    meaning = [sum(q * (v[j] - mean[j]) * (v[k] - mean[k]) for v, q in zip(values, p, strict=True)) for j, k in pairs]
    formula = [sum(q * v[j] * v[k] for v, q in zip(values, p, strict=True)) - mean[j] * mean[k] for j, k in pairs]
    return Holds(meaning, formula)


@check("B8b", "50 digits", gda, j=0)
@check("B8c", "50 digits", gda, j=1)
def density_of_a_class(x, y, phi, mu, root, j):
    S = covariance(root)
    n = 2
    meaning = [density(x_i, mu[j], root) for x_i in x]
    formula = [
        1 / ((2 * pi) ** (n / 2) * sqrt(mpmath.det(S))) * exp(-half * quadratic_form(x_i, mu[j], S)) for x_i in x
    ]
    return Holds(meaning, formula)


@check("B9b", "fractions", messages)
def joint_is_class_conditional_times_prior(rows):
    # For any distribution: here of messages, and without the logarithm.
    meaning = prod(share(rows, {"x": row["x"], "y": row["y"]}) for row in rows[::8])
    formula = prod(share(rows, {"x": row["x"]}, {"y": row["y"]}) * share(rows, {"y": row["y"]}) for row in rows[::8])
    return Holds(meaning, formula)


def log_likelihood(x, y, phi, mu, root):
    """Sum of the logarithms of the joint density, each example by its own class; root is lower triangular."""
    (a, _), (c, b) = root
    weight = [log((1 - phi) / (2 * pi * a * b)), log(phi / (2 * pi * a * b))]
    terms = []
    for x_i, k in zip(x, y, strict=True):
        first = (x_i[0] - mu[k][0]) / a
        second = (x_i[1] - mu[k][1] - c * first) / b
        terms.append(weight[k] - (first**2 + second**2) / 2)
    return total(terms)


@check("B9c", "50 digits", gda)
def likelihood_with_classes_as_exponents(x, y, phi, mu, root):
    meaning = log_likelihood(x, y, phi, mu, root)
    S = covariance(root)
    p = [[printed_density(x_i, mu_k, S) for mu_k in mu] for x_i in x]
    formula = log(
        mpmath.fprod(
            p_i[0] ** (1 - y_i) * p_i[1] ** y_i * phi**y_i * (1 - phi) ** (1 - y_i)
            for p_i, y_i in zip(p, y, strict=True)
        )
    )
    return Holds(meaning, formula)


@check("B9d", "50 digits", gda)
def log_likelihood_term_by_term(x, y, phi, mu, root):
    meaning = log_likelihood(x, y, phi, mu, root)
    S = covariance(root)
    n = 2
    scale = log(1 / ((2 * pi) ** (n / 2) * sqrt(mpmath.det(S))))
    q = [[quadratic_form(x_i, mu_k, S) for mu_k in mu] for x_i in x]
    formula = sum(
        (1 - y_i) * (scale - half * q_i[0]) + y_i * (scale - half * q_i[1]) + y_i * log(phi) + (1 - y_i) * log(1 - phi)
        for q_i, y_i in zip(q, y, strict=True)
    )
    return Holds(meaning, formula)
