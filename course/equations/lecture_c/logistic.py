"""Logistic regression: the conditional likelihood, Newton's method, gradient and Hessian, IRLS."""

from itertools import product

import mpmath
from mpmath import exp, log

from course.equations.calculus import derivative, dot, gradient, hessian, table, vector
from course.equations.cases import fraction, fractions, regression
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_c.cases import labelled_points, moderate_scores, parabola, paraboloid, two_thetas
from course.equations.lecture_c.regression import cost


def probability(y, score):
    """p(y | x) from the odds e^score : 1 of class 1."""
    return exp(score) / (exp(score) + 1) if y == 1 else 1 / (exp(score) + 1)


def likelihood(x, y, theta):
    """Conditional likelihood of the classes."""
    return mpmath.fprod(probability(y_n, dot(theta, x_n)) for x_n, y_n in zip(x, y, strict=True))


def rows_of(x, y, theta):
    """For each example y, its score theta'x, and mu."""
    scores = [dot(theta, x_n) for x_n in x]
    return [(y_n, s, 1 / (1 + exp(-s))) for y_n, s in zip(y, scores, strict=True)]


@check("C32", "fractions", labelled_points)
def probability_of_the_classes_given_the_features(p, x, y):
    def probability_of_data(classes):
        value = 1
        for x_n, y_n in zip(x, classes, strict=True):
            value *= p[y_n][x_n]
        return value

    meaning = probability_of_data(y) / sum(probability_of_data(classes) for classes in product(range(2), repeat=3))
    p_x, p_y = [p[0][v] + p[1][v] for v in range(3)], [sum(row) for row in p]
    first, second, third = zip(x, y, strict=True)
    y_given_x = {(v, c): p[c][v] / p_x[v] for v in range(3) for c in range(2)}
    x_given_y = {(v, c): p[c][v] / p_y[c] for v in range(3) for c in range(2)}
    formula = y_given_x[first] * y_given_x[second] * y_given_x[third]
    printed = x_given_y[first] * x_given_y[second] * x_given_y[third]
    return Erratum(meaning, formula, printed)


@check("C34", "50 digits", moderate_scores)
def logarithm_of_a_product(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(log(probability(y_n, dot(theta, x_n))) for x_n, y_n in zip(x, y, strict=True))
    return Holds(meaning, formula)


@check("C35a", "50 digits", moderate_scores)
def log_likelihood_by_cases(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu) + (1 - y_n) * log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@check("C35b", "50 digits", moderate_scores)
def log_likelihood_by_odds(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu / (1 - mu)) + log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@check("C35c", "50 digits", moderate_scores)
def log_likelihood_by_scores(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * s - s - log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    printed = sum(y_n * s - s + log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    return Erratum(meaning, formula, printed)


@check("C35d", "50 digits", moderate_scores)
def log_likelihood_in_short(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum((y_n - 1) * s - log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    printed = sum((y_n - 1) * s + log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    return Erratum(meaning, formula, printed)


def along_a_segment(x, y, theta, other, t):
    """Log likelihood between two points, the chord there, and the second derivative along the segment."""

    def at(share):
        return log(likelihood(x, y, [share * a + (1 - share) * b for a, b in zip(theta, other, strict=True)]))

    return at(t), t * at(1) + (1 - t) * at(0), derivative(lambda s: derivative(at, s), t)


@check("C36", "differences", two_thetas)
def log_likelihood_is_concave(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = bool(bend <= 0)
    formula = bool(between >= chord)
    return Holds(meaning, formula)


@check("C38", "differences", two_thetas)
def log_likelihood_is_not_convex(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = "concave" if bend < 0 else "convex"
    formula = "concave" if between > chord else "convex"
    return Erratum(meaning, formula, "convex")


def cubic(rng):
    """Coefficients of a cubic f, and a point theta where its slope is not 0."""
    return {
        "a": [fraction(rng, 1, 20), *fractions(rng, 1), fraction(rng, 1, 20), *fractions(rng, 1)],
        "theta": fraction(rng, 21, 40),
    }


@check("C37", "differences", cubic)
def zero_of_the_tangent(a, theta):
    def f(t):
        return mpmath.polyval(a, t)

    slope = mpmath.diff(f, theta)
    at_0, at_1 = f(theta) + slope * (0 - theta), f(theta) + slope * (1 - theta)
    meaning = at_0 / (at_0 - at_1)
    value, f_prime = f(theta), 3 * a[0] * theta**2 + 2 * a[1] * theta + a[2]
    formula = theta - value / f_prime
    return Holds(meaning, formula)


@check("C39", "fractions", parabola)
def newton_step_on_a_parabola(top, bend, height, theta):
    meaning = top
    first, second = -2 * bend * (theta - top), -2 * bend
    formula = theta - first / second
    printed = theta + first / second
    return Erratum(meaning, formula, printed)


@check("C40", "50 digits", paraboloid)
def newton_step_on_a_paraboloid(top, lower, theta):
    A = mpmath.matrix(lower) * mpmath.matrix(lower).T
    slope = -2 * A * (mpmath.matrix(theta) - mpmath.matrix(top))
    step = vector(mpmath.lu_solve(-2 * A, slope))
    meaning = top
    formula = [a - b for a, b in zip(theta, step, strict=True)]
    printed = [a + b for a, b in zip(theta, step, strict=True)]
    return Erratum(meaning, formula, printed)


def log_likelihood(x, y):
    """As a function of theta."""
    return lambda theta: log(likelihood(x, y, theta))


def means(x, theta):
    """u of each example."""
    return [1 / (1 + exp(-dot(theta, x_n))) for x_n in x]


@check("C41a", "differences", moderate_scores)
def gradient_of_the_log_likelihood(x, y, theta):
    meaning = gradient(log_likelihood(x, y), theta)
    rows = list(zip(x, y, means(x, theta), strict=True))
    formula = [sum((y_n - u_n) * x_n[j] for x_n, y_n, u_n in rows) for j in range(3)]
    return Holds(meaning, formula)


@check("C41b", "differences", moderate_scores)
def gradient_in_matrix_form(x, y, theta):
    meaning = gradient(log_likelihood(x, y), theta)
    X, target, u = mpmath.matrix(x), mpmath.matrix(y), mpmath.matrix(means(x, theta))
    formula = vector(X.T * (target - u))
    return Holds(meaning, formula)


@check("C42a", "differences", moderate_scores)
def hessian_of_the_log_likelihood(x, y, theta):
    meaning = hessian(log_likelihood(x, y), theta)
    rows = list(zip(x, means(x, theta), strict=True))
    formula = [[-sum(u * (1 - u) * x_n[i] * x_n[j] for x_n, u in rows) for j in range(3)] for i in range(3)]
    printed = [[sum(u * (1 - u) * x_n[i] * x_n[j] for x_n, u in rows) for j in range(3)] for i in range(3)]
    return Erratum(meaning, formula, printed)


@check("C42b", "differences", moderate_scores)
def curvature_in_matrix_form(x, y, theta):
    meaning = [[-each for each in row] for row in hessian(log_likelihood(x, y), theta)]
    X, u = mpmath.matrix(x), means(x, theta)
    formula = table(X.T * mpmath.diag([u_n * (1 - u_n) for u_n in u]) * X)
    return Holds(meaning, formula)


def is_invertible_with_a_feature_twice(X, R):
    """Whether X'RX has an inverse where X has its last column twice."""
    twice = mpmath.matrix([[*row, row[-1]] for row in table(X)])
    return bool(mpmath.det(twice.T * R * twice) > mpmath.mpf("1e-40"))


@check("C43", "differences", regression)
def least_squares_as_a_newton_step(x, y, theta, sigma):
    bend, slope = (each(lambda t: cost(x, y, t), theta) for each in (hessian, gradient))
    step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
    meaning = [a - b for a, b in zip(theta, step, strict=True)]
    X, target = mpmath.matrix(x), mpmath.matrix(y)
    formula = vector(mpmath.inverse(X.T * X) * X.T * target)
    without = (True, is_invertible_with_a_feature_twice(X, mpmath.eye(len(y))))
    return Conditional(meaning, formula, without)


def newton_step(x, y, theta):
    """Where Newton's step up the log likelihood ends, with gradient and Hessian by differences."""
    bend, slope = (each(log_likelihood(x, y), theta) for each in (hessian, gradient))
    step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
    return [a - b for a, b in zip(theta, step, strict=True)]


def matrices(x, y, theta):
    """X, R, theta, u, y of IRLS."""
    u = means(x, theta)
    R = mpmath.diag([u_n * (1 - u_n) for u_n in u])
    return mpmath.matrix(x), R, mpmath.matrix(theta), mpmath.matrix(u), mpmath.matrix(y)


@check("C44a", "differences", moderate_scores)
def newton_step_in_matrix_form(x, y, theta):
    meaning = newton_step(x, y, theta)
    X, R, weights, u, target = matrices(x, y, theta)
    formula = vector(weights - mpmath.inverse(X.T * R * X) * X.T * (u - target))
    return Conditional(meaning, formula, without=(True, is_invertible_with_a_feature_twice(X, R)))


@check("C44b", "differences", moderate_scores)
def newton_step_with_one_inverse(x, y, theta):
    meaning = newton_step(x, y, theta)
    X, R, weights, u, target = matrices(x, y, theta)
    formula = vector(mpmath.inverse(X.T * R * X) * (X.T * R * X * weights - X.T * (u - target)))
    return Conditional(meaning, formula, without=(True, is_invertible_with_a_feature_twice(X, R)))


@check("C44c", "differences", moderate_scores)
def newton_step_as_weighted_least_squares(x, y, theta):
    meaning = newton_step(x, y, theta)
    X, R, weights, u, target = matrices(x, y, theta)
    z = X * weights - mpmath.inverse(R) * (u - target)
    formula = vector(mpmath.inverse(X.T * R * X) * X.T * R * z)
    return Conditional(meaning, formula, without=(True, is_invertible_with_a_feature_twice(X, R)))
