"""Newton's method, the gradient and the Hessian of logistic regression, and IRLS."""

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot, gradient, hessian, table, vector
from course.equations.cases import fraction, fractions, regression
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_c.cases import moderate_scores, parabola, paraboloid
from course.equations.lecture_c.likelihood import likelihood
from course.equations.lecture_c.regression import cost


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
