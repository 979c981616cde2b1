"""Equations 23 to 27: the gradient of the likelihood of logistic regression, step by step."""

import mpmath
import sympy

from course.equations.calculus import derivative, dot, gradient
from course.equations.cases import fraction, precise, two_classes
from course.equations.entry import Holds, Lecture
from course.equations.lecture_e.logistic import log_likelihood
from course.equations.lecture_e.models import bernoulli, normal_mean, sigmoid

lecture = Lecture("E")


@lecture.holds(
    "E22a",
    "above eq. 23",
    r"z = y^2(x): \quad \frac{dz}{dx} = \frac{dz}{dy} \frac{dy}{dx}",
    "L2",
    method="symbolic",
    case=lambda rng: {},
)
def chain_rule():
    x, y = sympy.symbols("x y")
    y_of_x = x**3 - 2 * x
    meaning = sympy.diff(sympy.expand(y_of_x**2), x)
    formula = sympy.diff(y**2, y).subs(y, y_of_x) * sympy.diff(y_of_x, x)
    return Holds(meaning, formula)


def log_probability(y, p):
    """Of one label."""
    return mpmath.log(bernoulli(y, p))


def one_of_each(x, y, theta):
    """A row of class 0 and one of class 1, their labels, and what the model gives them."""
    return [(x[n], y[n], sigmoid(dot(theta, x[n]))) for n in (0, 1)]


def slopes_by_differences(x, y, theta):
    """Gradient of the log likelihood of one example, for a row of each class."""
    return [gradient(lambda t, n=n: log_likelihood([x[n]], [y[n]], t), theta) for n in (0, 1)]


@lecture.holds(
    "E22b",
    "above eq. 23",
    r"\ell_n = y_n \log f(\boldsymbol\theta^\top \mathbf x_n) + (1 - y_n) \log(1 - f(\boldsymbol\theta^\top \mathbf x_n))",
    "L2",
    "the lecture calls it the likelihood of an example: it is its logarithm",
    method="50 digits",
    case=precise(two_classes),
)
def log_likelihood_of_one_example(x, y, theta):
    rows = one_of_each(x, y, theta)
    meaning = [log_probability(y_n, f) for _, y_n, f in rows]
    formula = [y_n * mpmath.log(f) + (1 - y_n) * mpmath.log(1 - f) for _, y_n, f in rows]
    return Holds(meaning, formula)


@lecture.holds(
    "E23",
    "eq. 23",
    r"\frac{\partial \ell_n}{\partial \theta_i} = \frac{\partial \ell_n}{\partial f_n} \frac{\partial f_n}{\partial \theta_i}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def slope_by_the_chain_rule(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [
            derivative(lambda p, y_n=y_n: log_probability(y_n, p), f) * slope
            for slope in gradient(lambda t, x_n=x_n: sigmoid(dot(t, x_n)), theta)
        ]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "E24",
    "eq. 24",
    r"\frac{\partial \ell_n}{\partial \theta_i} = \left( \frac{y_n}{f_n} - \frac{1 - y_n}{1 - f_n} \right) \frac{\partial f_n}{\partial \theta_i}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def slope_with_the_outer_derivative(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [(y_n / f - (1 - y_n) / (1 - f)) * slope for slope in gradient(lambda t, x_n=x_n: sigmoid(dot(t, x_n)), theta)]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


def positive(rng):
    """x : a positive number."""
    return {"x": fraction(rng, 1, 20)}


@lecture.holds(
    "E24a", "beside eq. 24", r"\frac{d}{dx} \ln x = \frac1x", "L2", method="differences", case=precise(positive)
)
def derivative_of_the_logarithm(x):
    meaning = derivative(mpmath.log, x)
    formula = 1 / x
    return Holds(meaning, formula)


@lecture.holds(
    "E25",
    "eq. 25",
    r"\frac{\partial \ell_n}{\partial \theta_i} = \left( \frac{y_n}{f_n} - \frac{1 - y_n}{1 - f_n} \right) f_n (1 - f_n) x_{ni}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def slope_with_both_derivatives(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [
        [(y_n / f - (1 - y_n) / (1 - f)) * (f * (1 - f) * x_i) for x_i in x_n]
        for x_n, y_n, f in one_of_each(x, y, theta)
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "E26",
    "eq. 26",
    r"\frac{\partial \ell_n}{\partial \theta_i} = (y_n - f_n) x_{ni}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def slope_simplified(x, y, theta):
    meaning = slopes_by_differences(x, y, theta)
    formula = [[(y_n - f) * x_i for x_i in x_n] for x_n, y_n, f in one_of_each(x, y, theta)]
    return Holds(meaning, formula)


@lecture.holds(
    "E27",
    "eq. 27, and below eq. 26",
    r"\frac{\partial \ell}{\partial \theta_i} = \sum_n (y_n - f(\boldsymbol\theta^\top \mathbf x_n)) x_{ni}",
    "L2",
    "the title of the slide says gradient descent; with eq. 22 it is ascent",
    method="differences",
    case=precise(two_classes),
)
def gradient_of_logistic_regression(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    rows, features = list(zip(x, y, strict=True)), range(len(theta))
    formula = [sum((y_n - sigmoid(dot(theta, x_n))) * x_n[i] for x_n, y_n in rows) for i in features]
    return Holds(meaning, formula)


@lecture.holds(
    "E27a",
    "table below eq. 27",
    r"\mathbb E[Y \mid X = \mathbf x; \boldsymbol\theta] = f(\boldsymbol\theta^\top \mathbf x), \quad f \text{ the identity, or logistic}",
    "X2",
    method="50 digits",
    case=precise(two_classes),
)
def mean_response_of_both_regressions(x, y, theta):
    eta = dot(theta, x[0])
    meaning = [normal_mean(eta, mpmath.mpf(1)), sum(k * bernoulli(k, sigmoid(eta)) for k in (0, 1))]
    formula = [f(eta) for f in (lambda t: t, sigmoid)]
    return Holds(meaning, formula)
