"""Steps towards the most likely weights of logistic regression: gradient ascent and Newton's method."""

import mpmath

from course.equations.calculus import dot, gradient, hessian, vector
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_a.cases import gentle
from course.equations.lecture_a.logistic import sigma
from course.equations.lecture_a.logistic_likelihood import log_likelihood


@check("A42", "differences", gentle)
def gradient_ascent_goes_up(x, y, theta):
    eta = mpmath.mpf(1) / 128
    slope = gradient(lambda t: log_likelihood(x, y, t), theta)

    def best_of_coordinate(start, g):
        # The top of the parabola t -> t g - t^2 / (2 eta), from three of its points.
        low, high = (t * g - t**2 / (2 * eta) for t in (-1, 1))
        return start + (high - low) / (-2 * (high + low))

    meaning = [best_of_coordinate(t, g) for t, g in zip(theta, slope, strict=True)]
    formula = [t + eta * g for t, g in zip(theta, slope, strict=True)]
    rises = log_likelihood(x, y, formula) > log_likelihood(x, y, theta)
    return Holds([meaning, True], [formula, rises])


@check("A43", "differences", gentle)
def newton_step_is_weighted_least_squares(x, y, theta):
    p = [sigma(dot(theta, x_i)) for x_i in x]
    root = [mpmath.sqrt(p_i * (1 - p_i)) for p_i in p]
    rows = mpmath.matrix([[r * each for each in x_i] for r, x_i in zip(root, x, strict=True)])
    answers = [r * dot(theta, x_i) + (y_i - p_i) / r for r, x_i, y_i, p_i in zip(root, x, y, p, strict=True)]
    meaning = vector(mpmath.qr_solve(rows, mpmath.matrix(answers))[0])

    def f(t):
        return log_likelihood(x, y, t)

    step = vector(mpmath.lu_solve(mpmath.matrix(hessian(f, theta)), mpmath.matrix(gradient(f, theta))))
    formula = [t - s for t, s in zip(theta, step, strict=True)]
    twice = [[*x_i, x_i[1]] for x_i in x]  # a feature that is there twice
    size = abs(mpmath.det(mpmath.matrix(hessian(lambda t: log_likelihood(twice, y, t), [*theta, theta[1]]))))
    return Conditional(meaning, formula, without=(True, bool(size > mpmath.mpf("1e-20"))))
