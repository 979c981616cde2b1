"""Logistic regression: the model, its likelihood, steps towards the most likely weights, derivatives; many classes."""

import mpmath

from course.equations.calculus import derivative, dot, gradient, hessian, total, vector
from course.equations.cases import two_classes
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_a.cases import gentle, many_classes, number

exp, log = mpmath.exp, mpmath.log


def sigma(z):
    """The logistic function, by a formula that is not in the lecture."""
    return (1 + mpmath.tanh(z / 2)) / 2


@check("A31", "differences", number)
def slope_of_the_logistic_function(z):
    meaning = derivative(lambda t: 1 / (1 + exp(-t)), z)
    formula = sigma(z) * (1 - sigma(z))
    return Holds(meaning, formula)


@check("A32b", "50 digits", number)
def class_1_by_growing_exponentials(z):
    meaning = sigma(z)
    formula = exp(z) / (1 + exp(z))
    return Holds(meaning, formula)


@check("A33a", "50 digits", number)
def class_0_by_falling_exponentials(z):
    meaning = 1 - sigma(z)
    formula = exp(-z) / (1 + exp(-z))
    return Holds(meaning, formula)


@check("A33b", "50 digits", number)
def class_0_by_growing_exponentials(z):
    meaning = 1 - sigma(z)
    formula = 1 / (1 + exp(z))
    return Holds(meaning, formula)


@check("A36", "50 digits", two_classes)
def one_feature_and_a_constant(x, y, theta):
    weights = theta[:2]
    meaning = [sigma(dot(weights, row[:2])) for row in x]
    values, theta_0, theta_1 = [row[1] for row in x], *weights
    formula = [sigma(theta_1 * value + theta_0) for value in values]
    return Holds(meaning, formula)


@check("A37", "50 digits", two_classes)
def the_rule_errs_least(x, y, theta):
    def errs(answer, row):
        odds = {0: mpmath.mpf(1), 1: exp(dot(theta, row))}
        return sum(odds[label] for label in odds if label != answer) / sum(odds.values())

    meaning = [errs(1, row) < errs(0, row) for row in x]
    formula = [sigma(dot(theta, row)) > 0.5 for row in x]
    return Holds(meaning, formula)


def probability(y, z):
    """P(Y = y) where the log odds of class 1 are z."""
    return sigma(z) if y == 1 else sigma(-z)


def log_likelihood(x, y, theta):
    return total([log(probability(y_i, dot(theta, x_i))) for x_i, y_i in zip(x, y, strict=True)])


@check("A40a", "50 digits", gentle)
def likelihood_of_labels(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    p = [1 / (1 + exp(-dot(theta, x_i))) for x_i in x]
    formula = mpmath.fprod(p_i**y_i * (1 - p_i) ** (1 - y_i) for p_i, y_i in zip(p, y, strict=True))
    return Holds(meaning, formula)


@check("A40b", "50 digits", gentle)
def likelihood_of_labels_by_exponentials(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    z = [dot(theta, x_i) for x_i in x]
    formula = mpmath.fprod(
        (exp(z_i) / (1 + exp(z_i))) ** y_i * (1 / (1 + exp(z_i))) ** (1 - y_i) for z_i, y_i in zip(z, y, strict=True)
    )
    same = exp(z[0])
    printed = mpmath.fprod((same / (1 + same)) ** y_i * (1 / (1 + same)) ** (1 - y_i) for y_i in y)
    return Erratum(meaning, formula, printed)


@check("A41", "50 digits", two_classes)
def log_likelihood_of_labels(x, y, theta):
    meaning = log_likelihood(x, y, theta)
    z = [dot(theta, x_i) for x_i in x]
    formula = sum(y_i * z_i - log(1 + exp(z_i)) for y_i, z_i in zip(y, z, strict=True))
    return Holds(meaning, formula)


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


def softmax_and_differences(x, vectors):
    """Probabilities of four classes from four vectors, and the scores of the first three against the last."""
    weights = [exp(dot(each, x)) for each in vectors]
    scores = [dot([a - b for a, b in zip(each, vectors[-1], strict=True)], x) for each in vectors[:-1]]
    return [each / sum(weights) for each in weights], scores


@check("A46a", "50 digits", many_classes)
def classes_with_a_vector_of_their_own(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[:-1]
    formula = [exp(z_j) / (1 + sum(exp(z_m) for z_m in z)) for z_j in z]
    return Holds(meaning, formula)


@check("A46b", "50 digits", many_classes)
def class_that_the_others_are_compared_with(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[-1]
    formula = 1 / (1 + sum(exp(z_m) for z_m in z))
    return Holds(meaning, formula)
