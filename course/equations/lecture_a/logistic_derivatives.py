"""First and second derivatives of the log likelihood of logistic regression."""

import mpmath

from course.equations.calculus import dot, gradient, hessian
from course.equations.cases import two_classes
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_a.cases import gentle
from course.equations.lecture_a.logistic import sigma
from course.equations.lecture_a.logistic_likelihood import log_likelihood

exp = mpmath.exp


@check("A44a", "differences", two_classes)
def gradient_by_exponentials(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    e = [exp(dot(theta, x_i)) for x_i in x]
    formula = [
        sum(y_i * x_i[j] for x_i, y_i in zip(x, y, strict=True))
        - sum(x_i[j] * e_i / (1 + e_i) for x_i, e_i in zip(x, e, strict=True))
        for j in range(3)
    ]
    return Holds(meaning, formula)


@check("A44b", "differences", two_classes)
def gradient_by_two_sums(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [
        sum(y_i * x_i[j] for x_i, y_i in zip(x, y, strict=True))
        - sum(p_i * x_i[j] for x_i, p_i in zip(x, p, strict=True))
        for j in range(3)
    ]
    return Holds(meaning, formula)


@check("A44c", "differences", two_classes)
def gradient_by_residuals(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [sum(x_i[j] * (y_i - p_i) for x_i, y_i, p_i in zip(x, y, p, strict=True)) for j in range(3)]
    return Holds(meaning, formula)


PAIRS = [(j, k) for j in range(2) for k in range(2)]


def second_derivatives(x, y, theta):
    H = hessian(lambda t: log_likelihood(x, y, t), theta)
    return [H[j][k] for j, k in PAIRS]


@check("A45a", "differences", gentle)
def hessian_by_the_quotient_rule(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    e = [exp(dot(theta, x_i)) for x_i in x]
    formula = [
        -sum(
            ((1 + e_i) * e_i * x_i[j] * x_i[k] - e_i**2 * x_i[j] * x_i[k]) / (1 + e_i) ** 2
            for x_i, e_i in zip(x, e, strict=True)
        )
        for j, k in PAIRS
    ]
    return Holds(meaning, formula)


@check("A45b", "differences", gentle)
def hessian_by_two_sums(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    data = list(zip(x, p, strict=True))
    formula = [
        -sum(x_i[j] * x_i[k] * p_i for x_i, p_i in data) + sum(x_i[j] * x_i[k] * p_i**2 for x_i, p_i in data)
        for j, k in PAIRS
    ]
    printed = [
        -sum(x_i[j] * x_i[k] * p_i for x_i, p_i in data) - sum(x_i[j] * x_i[k] * p_i**2 for x_i, p_i in data)
        for j, k in PAIRS
    ]
    return Erratum(meaning, formula, printed)


@check("A45c", "differences", gentle)
def hessian_by_variances(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [-sum(x_i[j] * x_i[k] * p_i * (1 - p_i) for x_i, p_i in zip(x, p, strict=True)) for j, k in PAIRS]
    return Holds(meaning, formula)
