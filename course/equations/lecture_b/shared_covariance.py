"""The covariance of Gaussian discriminant analysis: the derivative in a matrix, and where it is 0."""

import mpmath

from course.equations.calculus import gradient, table, total
from course.equations.entry import Conditional, Holds, check
from course.equations.estimates import maximum
from course.equations.lecture_b.cases import gda
from course.equations.lecture_b.normal import covariance

exp, log = mpmath.exp, mpmath.log
half = mpmath.mpf("0.5")


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
