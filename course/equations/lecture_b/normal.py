"""Multivariate normal distribution, and the model of Gaussian discriminant analysis (GDA)."""

from itertools import product
from math import prod

import mpmath

from course.equations.calculus import total
from course.equations.cases import precise
from course.equations.counting import share
from course.equations.entry import Conditional, Holds, Lecture
from course.equations.lecture_b.cases import four_points, gda, messages, normal_in_three_dimensions

lecture = Lecture("B")
exp, log, pi, sqrt = mpmath.exp, mpmath.log, mpmath.pi, mpmath.sqrt
half = mpmath.mpf("0.5")

NORMAL = "section *The Multivariate Normal Distribution*"
MODEL = "section *The Gaussian Discriminant Analysis Model*"


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


@lecture.condition(
    "B4",
    NORMAL + ", display 1",
    r"p(\mathbf x; \mu, \Sigma) = \frac1{(2\pi)^{n/2} \lvert\Sigma\rvert^{1/2}} \exp\bigl(-\tfrac12 (\mathbf x - \mu)^\top \Sigma^{-1} (\mathbf x - \mu)\bigr)",
    "G1",
    "if Σ is positive definite; semi-definite, as the text has it, allows a determinant of 0, and then there is neither an inverse nor a density",
    method="50 digits",
    case=precise(normal_in_three_dimensions),
)
def density_of_stretched_standard_normal_numbers(x, mu, root):
    S = covariance(root)
    n = len(x)
    meaning = density(x, mu, root)
    formula = 1 / ((2 * pi) ** (n / 2) * sqrt(mpmath.det(S))) * exp(-half * quadratic_form(x, mu, S))
    flat = covariance([[1, 0], [1, 0]])
    return Conditional(meaning, formula, without=(True, mpmath.det(flat) > 0))


@lecture.holds(
    "B5",
    NORMAL + ", display 2",
    r"\operatorname{E}[X] = \int \mathbf x\, p(\mathbf x; \mu, \Sigma)\, d\mathbf x = \mu",
    "G1",
    method="50 digits",
    case=precise(gda),
)
def mean_by_quadrature(x, y, phi, mu, root):
    S = covariance(root)
    meaning = integral(lambda v: [each * printed_density(v, mu[0], S) for each in v], mu[0], root)
    formula = mu[0]
    return Holds(meaning, formula)


@lecture.holds(
    "B6a",
    NORMAL + ", display 3",
    r"\operatorname{Cov}(X) = \Sigma",
    "G1",
    method="50 digits",
    case=precise(gda),
)
def covariance_by_quadrature(x, y, phi, mu, root):
    S = covariance(root)

    def squares(v):
        r = [a - b for a, b in zip(v, mu[0], strict=True)]
        return [r[j] * r[k] * printed_density(v, mu[0], S) for j, k in product((0, 1), repeat=2)]

    meaning = integral(squares, mu[0], root)
    formula = [S[j, k] for j, k in product((0, 1), repeat=2)]
    return Holds(meaning, formula)


lecture.definition(
    "B6b",
    NORMAL + ", display 3",
    r"\operatorname{Cov}(X) = \operatorname{E}\bigl[(X - \operatorname{E}[X]) (X - \operatorname{E}[X])^\top\bigr]",
    "G1",
)


@lecture.holds(
    "B6c",
    NORMAL + ", display 3",
    r"\operatorname{Cov}(X) = \operatorname{E}[X X^\top] - \operatorname{E}[X] \operatorname{E}[X]^\top",
    "G1",
    method="fractions",
    case=four_points,
)
def covariance_from_second_moments(values, p):
    mean = total([[p_v * each for each in v] for v, p_v in zip(values, p, strict=True)])
    pairs = list(product((0, 1), repeat=2))
    meaning = [sum(q * (v[j] - mean[j]) * (v[k] - mean[k]) for v, q in zip(values, p, strict=True)) for j, k in pairs]
    formula = [sum(q * v[j] * v[k] for v, q in zip(values, p, strict=True)) - mean[j] * mean[k] for j, k in pairs]
    return Holds(meaning, formula)


lecture.definition("B7a", MODEL + ", display 1", r"y \sim \text{Bernoulli}(\phi)", "G2")
lecture.definition("B7b", MODEL + ", display 1", r"\mathbf x \mid y = 0 \sim N(\mu_0, \Sigma)", "G2")
lecture.definition("B7c", MODEL + ", display 1", r"\mathbf x \mid y = 1 \sim N(\mu_1, \Sigma)", "G2")


@lecture.holds("B8a", MODEL + ", display 2", r"p(y) = \phi^y (1 - \phi)^{1 - y}", "G2", method="fractions", case=gda)
def class_prior_in_one_expression(x, y, phi, mu, root):
    meaning = [1 - phi, phi]
    formula = [phi**k * (1 - phi) ** (1 - k) for k in (0, 1)]
    return Holds(meaning, formula)


def density_of_class(key, j):
    @lecture.holds(
        key,
        MODEL + ", display 2",
        rf"p(\mathbf x \mid y = {j}) = \frac1{{(2\pi)^{{n/2}} \lvert\Sigma\rvert^{{1/2}}}} \exp\bigl(-\tfrac12 (\mathbf x - \mu_{j})^\top \Sigma^{{-1}} (\mathbf x - \mu_{j})\bigr)",
        "G2",
        method="50 digits",
        case=precise(gda),
    )
    def density_of_a_class(x, y, phi, mu, root):
        S = covariance(root)
        n = 2
        meaning = [density(x_i, mu[j], root) for x_i in x]
        formula = [
            1 / ((2 * pi) ** (n / 2) * sqrt(mpmath.det(S))) * exp(-half * quadratic_form(x_i, mu[j], S)) for x_i in x
        ]
        return Holds(meaning, formula)


density_of_class("B8b", 0)
density_of_class("B8c", 1)

lecture.definition(
    "B9a",
    MODEL + ", display 3",
    r"\ell(\phi, \mu_0, \mu_1, \Sigma) = \log \prod_i p(\mathbf x_i, y_i; \phi, \mu_0, \mu_1, \Sigma)",
    "G2",
)


@lecture.holds(
    "B9b",
    MODEL + ", display 3",
    r"\ell = \log \prod_i p(\mathbf x_i \mid y_i; \mu_0, \mu_1, \Sigma)\, p(y_i; \phi)",
    "G2",
    method="fractions",
    case=messages,
)
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


@lecture.holds(
    "B9c",
    MODEL + ", display 3",
    r"\ell = \log \prod_i \Bigl[\tfrac1{(2\pi)^{n/2} \lvert\Sigma\rvert^{1/2}} e^{-\frac12 (\mathbf x_i - \mu_0)^\top \Sigma^{-1} (\mathbf x_i - \mu_0)}\Bigr]^{1 - y_i} \Bigl[\tfrac1{(2\pi)^{n/2} \lvert\Sigma\rvert^{1/2}} e^{-\frac12 (\mathbf x_i - \mu_1)^\top \Sigma^{-1} (\mathbf x_i - \mu_1)}\Bigr]^{y_i} \phi^{y_i} (1 - \phi)^{1 - y_i}",
    "G2",
    method="50 digits",
    case=precise(gda),
)
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


@lecture.holds(
    "B9d",
    MODEL + ", display 3",
    r"\ell = \sum_i \Bigl((1 - y_i) \bigl[\log \tfrac1{(2\pi)^{n/2} \lvert\Sigma\rvert^{1/2}} - \tfrac12 (\mathbf x_i - \mu_0)^\top \Sigma^{-1} (\mathbf x_i - \mu_0)\bigr] + y_i \bigl[\log \tfrac1{(2\pi)^{n/2} \lvert\Sigma\rvert^{1/2}} - \tfrac12 (\mathbf x_i - \mu_1)^\top \Sigma^{-1} (\mathbf x_i - \mu_1)\bigr] + y_i \log \phi + (1 - y_i) \log(1 - \phi)\Bigr)",
    "G2",
    method="50 digits",
    case=precise(gda),
)
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
