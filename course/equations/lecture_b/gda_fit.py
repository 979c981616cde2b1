"""Maximum likelihood of Gaussian discriminant analysis: class prior, means, rules of matrix calculus, covariance."""

from fractions import Fraction
from math import prod

import mpmath

from course.equations.calculus import derivative, dot, gradient, table, total, vector
from course.equations.entry import Conditional, Holds, check
from course.equations.estimates import maximum, most_likely
from course.equations.lecture_b.cases import gda, square
from course.equations.lecture_b.normal import covariance, log_likelihood


@check("B10a", "differences", gda)
def derivative_in_the_class_prior(x, y, phi, mu, root):
    meaning = derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)
    formula = sum(y_i * (1 / phi) - (1 - y_i) * (1 / (1 - phi)) for y_i in y)
    return Holds(meaning, formula)


def cleared(x, y, phi, mu, root):
    """The derivative in phi, multiplied by phi (1 - phi): 0 where the derivative is."""
    return phi * (1 - phi) * derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)


@check("B10b", "differences", gda)
def class_prior_without_fractions(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i * (1 - phi) - (1 - y_i) * phi for y_i in y)
    return Holds(meaning, formula)


@check("B10c", "differences", gda)
def class_prior_as_a_sum_of_residuals(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i - phi for y_i in y)
    return Holds(meaning, formula)


@check("B10d", "differences", gda)
def class_prior_as_a_difference(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    m = len(y)
    formula = sum(y) - m * phi
    return Holds(meaning, formula)


@check("B10e", "enumeration", gda)
def most_likely_class_prior(x, y, phi, mu, root):
    meaning = [most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]] * 2
    m = Fraction(len(y))
    formula = [1 / m * sum(y), 1 / m * sum(y_i == 1 for y_i in y)]
    return Holds(meaning, formula)


half = mpmath.mpf("0.5")


def with_mean(mu, j, value):
    """The two means, that of class j replaced."""
    return [value if k == j else mu[k] for k in (0, 1)]


def slope(x, y, phi, mu, root, j):
    return gradient(lambda t: log_likelihood(x, y, phi, with_mean(mu, j, t), root), mu[j])


def times_covariance(x, y, phi, mu, root, j):
    return vector(covariance(root) * mpmath.matrix(slope(x, y, phi, mu, root, j)))


def pulls(x, mu, root, j):
    """Sigma^-1 (x_i - mu_j) for each example."""
    S = covariance(root)
    return [vector(mpmath.lu_solve(S, mpmath.matrix([a - b for a, b in zip(x_i, mu[j], strict=True)]))) for x_i in x]


def members(y, j):
    """1 for this class and 0 for the other, which the lecture writes 1 - y_i or y_i."""
    return [int(y_i == j) for y_i in y]


@check("B11a", "differences", gda, j=0)
@check("B12a", "differences", gda, j=1)
def derivative_in_a_mean(x, y, phi, mu, root, j):
    meaning = slope(x, y, phi, mu, root, j)
    pull = pulls(x, mu, root, j)
    formula = [sum(w * -half * (-2 * q[k]) for w, q in zip(members(y, j), pull, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11b", "differences", gda, j=0)
@check("B12b", "differences", gda, j=1)
def derivative_in_a_mean_simplified(x, y, phi, mu, root, j):
    meaning = slope(x, y, phi, mu, root, j)
    pull = pulls(x, mu, root, j)
    formula = [sum(w * q[k] for w, q in zip(members(y, j), pull, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11c", "differences", gda, j=0)
@check("B12c", "differences", gda, j=1)
def mean_as_a_sum_of_residuals(x, y, phi, mu, root, j):
    meaning = times_covariance(x, y, phi, mu, root, j)
    formula = [sum(w * (x_i[k] - mu[j][k]) for w, x_i in zip(members(y, j), x, strict=True)) for k in (0, 1)]
    return Holds(meaning, formula)


@check("B11d", "differences", gda, j=0)
@check("B12d", "differences", gda, j=1)
def mean_as_a_difference(x, y, phi, mu, root, j):
    meaning = times_covariance(x, y, phi, mu, root, j)
    weights = members(y, j)
    formula = [
        sum(w * x_i[k] for w, x_i in zip(weights, x, strict=True)) - sum(w * mu[j][k] for w in weights) for k in (0, 1)
    ]
    return Holds(meaning, formula)


@check("B11e", "differences", gda, j=0)
@check("B12e", "differences", gda, j=1)
def most_likely_mean(x, y, phi, mu, root, j):
    meaning = maximum(lambda t: log_likelihood(x, y, phi, with_mean(mu, j, t), root), [0, 0])
    formula = [
        sum((y_i == j) * x_i[k] for x_i, y_i in zip(x, y, strict=True)) / sum(y_i == j for y_i in y) for k in (0, 1)
    ]
    return Holds(meaning, formula)


def flat(rows):
    return [each for row in rows for each in row]


@check("B14", "differences", square)
def derivative_of_a_determinant(A, a, b):
    def determinant(entries):
        p, q, r, s, t, u, v, w, z = entries
        return p * (t * z - u * w) - q * (s * z - u * v) + r * (s * w - t * v)

    meaning = gradient(determinant, flat(A))
    M = mpmath.matrix(A)
    formula = flat(table(mpmath.det(M) * mpmath.inverse(M).T))
    return Holds(meaning, formula)


@check("B15", "differences", square)
def derivative_of_a_form_with_an_inverse(A, a, b):
    def form(entries):
        return dot(
            a, vector(mpmath.lu_solve(mpmath.matrix([entries[:3], entries[3:6], entries[6:]]), mpmath.matrix(b)))
        )

    meaning = gradient(form, flat(A))
    T = mpmath.inverse(mpmath.matrix(A)).T
    formula = flat(table(-T * mpmath.matrix(a) * mpmath.matrix(b).T * T))
    return Holds(meaning, formula)


@check("B15a", "50 digits", gda)
def inverse_of_a_symmetric_matrix(x, y, phi, mu, root):
    S = covariance(root)
    (a, b), (c, d) = table(S)
    size = a * d - b * c
    meaning = [[d / size, -b / size], [-c / size, a / size]]
    formula = table(mpmath.inverse(S).T)
    return Holds(meaning, formula)


exp, log = mpmath.exp, mpmath.log


def log_likelihood_of_matrix(x, y, phi, mu, S):
    """The log likelihood where Sigma is any matrix of two rows, symmetric or not: its four entries are free."""
    (a, b), (c, d) = S
    det = a * d - b * c
    weight = [log((1 - phi) / (2 * mpmath.pi)), log(phi / (2 * mpmath.pi))]
    log_det = log(det)
    terms = []
    for x_i, y_i in zip(x, y, strict=True):
        s, t = x_i[0] - mu[y_i][0], x_i[1] - mu[y_i][1]
        squares = (d * s * s - (b + c) * s * t + a * t * t) / det
        terms.append(weight[y_i] - (log_det + squares) / 2)
    return total(terms)


def skewed(root):
    """A covariance made unsymmetric, so that a forgotten transpose shows; its determinant stays positive."""
    S = table(covariance(root))
    S[0][1], S[1][0] = S[0][1] + half * root[0][0] * root[1][1], S[1][0] - half * root[0][0] * root[1][1]
    return S


def slope_in_covariance(x, y, phi, mu, S):
    slope = gradient(lambda s: log_likelihood_of_matrix(x, y, phi, mu, [s[:2], s[2:]]), [*S[0], *S[1]])
    return mpmath.matrix([slope[:2], slope[2:]])


def outer(x_i, mu_k):
    r = mpmath.matrix([a - b for a, b in zip(x_i, mu_k, strict=True)])
    return r * r.T


@check("B13a", "differences", gda)
def derivative_in_the_covariance(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, det = mpmath.inverse(mpmath.matrix(S)).T, mpmath.det(mpmath.matrix(S))
    formula = table(
        sum(
            (1 - y_i) * (-1 / (2 * det) * det * T - half * (-T * outer(x_i, mu[0]) * T))
            + y_i * (-1 / (2 * det) * det * T - half * (-T * outer(x_i, mu[1]) * T))
            for x_i, y_i in zip(x, y, strict=True)
        )
    )
    return Holds(meaning, formula)


@check("B13b", "differences", gda)
def derivative_in_the_covariance_factored(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    formula = table(
        -half
        * T
        * sum(
            (1 - y_i) * (identity - outer(x_i, mu[0]) * T) + y_i * (identity - outer(x_i, mu[1]) * T)
            for x_i, y_i in zip(x, y, strict=True)
        )
    )
    return Holds(meaning, formula)


@check("B13c", "differences", gda)
def derivative_in_the_covariance_by_own_means(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(-half * T * sum(identity - r * T for r in own))
    return Holds(meaning, formula)


@check("B13d", "differences", gda)
def covariance_as_a_sum_of_differences(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(-2 * mpmath.matrix(S).T * slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(sum(identity - r * T for r in own))
    return Holds(meaning, formula)


@check("B13e", "differences", gda)
def covariance_as_a_difference(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(-2 * mpmath.matrix(S).T * slope_in_covariance(x, y, phi, mu, S))
    T, identity, m = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2), len(y)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(m * identity - sum(r * T for r in own))
    return Holds(meaning, formula)


@check("B13f", "differences", gda)
def covariance_without_its_inverse(x, y, phi, mu, root):
    S = covariance(root)
    meaning = table(-2 * S * slope_in_covariance(x, y, phi, mu, table(S)) * S)
    m = len(y)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(m * S - sum(own))
    return Holds(meaning, formula)


@check("B13g", "differences", gda)
def most_likely_covariance(x, y, phi, mu, root):
    x, y = x[:4], y[:4]  # the least number of examples that n = 2 features need

    def from_precision(point):
        """Sigma^-1 = R R^T with R of positive diagonal: every point is a covariance."""
        (a, b), c = (exp(each) for each in point[:2]), point[2]
        det = (a * b) ** 2
        return [[(b**2 + c**2) / det, -a * c / det], [-a * c / det, a**2 / det]]

    meaning = from_precision(maximum(lambda t: log_likelihood_of_matrix(x, y, phi, mu, from_precision(t)), [0, 0, 0]))
    m = mpmath.mpf(len(y))
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(1 / m * sum(own))
    pair = [x[0], x[2]]  # one of each class: its own mean, no residuals
    narrow = [[[mpmath.mpf(10) ** -k, 0], [0, mpmath.mpf(10) ** -k]] for k in (10, 20, 30)]
    shrinking = [log_likelihood_of_matrix(pair, [0, 1], phi, pair, S) for S in narrow]
    has_maximum = not shrinking[0] < shrinking[1] < shrinking[2]
    return Conditional(meaning, formula, without=(True, has_maximum))
