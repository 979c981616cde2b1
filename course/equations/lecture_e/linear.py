"""Equations 1 to 6: linear regression and its assumptions."""

import mpmath
import sympy

from course.equations.calculus import derivative, dot, vector
from course.equations.cases import fractions, precise, regression
from course.equations.entry import Conditional, Erratum, Holds, Lecture
from course.equations.lecture_e.models import GRID

lecture = Lecture("E")
lecture.definition("E1", "eq. 1", r"h(\mathbf x) = \sum_{i=0}^d \theta_i x_i = \boldsymbol\theta^\top \mathbf x", "R1")


def points(rng):
    """d : number of features; x : more points than d, without the constant 1."""
    d = int(rng.integers(1, 4))
    return {"d": d, "x": fractions(rng, d + 3, d)}


@lecture.erratum(
    "E1a",
    "below eq. 1",
    r"\boldsymbol\theta \in \mathbb R^{d+1}",
    "R1",
    "with the intercept there is one number more than features (a line has two), and X has as many columns",
    printed=r"\boldsymbol\theta \in \mathbb R^d",
    method="fractions",
    case=points,
)
def number_of_parameters(d, x):
    meaning = sympy.Matrix([[1, *x_n] for x_n in x]).rank()
    formula = d + 1
    printed = d
    return Erratum(meaning, formula, printed)


lecture.definition(
    "E2", "eq. 2", r"J(\boldsymbol\theta) = \frac1N \sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)^2", "R1"
)


@lecture.holds(
    "E3",
    "eq. 3",
    r"\arg\min_{\boldsymbol\theta} J = \arg\min_{\boldsymbol\theta} (X \boldsymbol\theta - \mathbf y)^\top (X \boldsymbol\theta - \mathbf y)",
    "R1",
    method="50 digits",
    case=precise(regression),
)
def best_of_a_grid_in_matrix_form(x, y, theta, sigma):
    X, target, rows = mpmath.matrix(x), mpmath.matrix(y), list(zip(x, y, strict=True))
    meaning = min(GRID, key=lambda t: sum((y_n - dot(t, x_n)) ** 2 for x_n, y_n in rows) / len(rows))
    formula = min(GRID, key=lambda t: ((X * mpmath.matrix(t) - target).T * (X * mpmath.matrix(t) - target))[0])
    return Holds(meaning, formula)


@lecture.condition(
    "E3a",
    "below eq. 3",
    r"\hat{\boldsymbol\theta} = (X^\top X)^{-1} X^\top \mathbf y",
    "R1",
    "if the columns of X are linearly independent; otherwise X'X has no inverse",
    method="50 digits",
    case=precise(regression),
)
def normal_equations(x, y, theta, sigma):
    X, target = mpmath.matrix(x), mpmath.matrix(y)
    meaning = vector(mpmath.qr_solve(X, target)[0])
    formula = vector(mpmath.inverse(X.T * X) * X.T * target)
    doubled = mpmath.matrix([[*row, row[1]] for row in x])
    return Conditional(meaning, formula, without=(True, mpmath.det(doubled.T * doubled) > mpmath.mpf("1e-40")))


lecture.definition("E4", "eq. 4", r"y_n = \boldsymbol\theta^\top \mathbf x_n + \epsilon_n", "R3")
lecture.definition("E5", "eq. 5", r"\epsilon \sim \mathcal N(0, \sigma^2)", "R3")


@lecture.condition(
    "E6",
    "eq. 6",
    r"p(y \mid \mathbf x; \boldsymbol\theta) = \mathcal N(\boldsymbol\theta^\top \mathbf x, \sigma^2)",
    "R3",
    "if the errors are independent of the inputs, not only of each other; with x normal and each error equal to its x, "
    "they are normal too, and y given x is certain",
    method="differences",
    case=precise(regression),
)
def response_given_the_inputs(x, y, theta, sigma):
    mean, t = dot(theta, x[0]), y[0]
    meaning = derivative(lambda s: mpmath.ncdf((s - mean) / sigma), t)
    formula = 1 / (mpmath.sqrt(2 * mpmath.pi) * sigma) * mpmath.exp(-((t - mean) ** 2) / (2 * sigma**2))
    # With epsilon = x ~ N(0, 1), y <= theta x + x for sure; eq. 6 gives it the probability of N(0, 1) below x.
    return Conditional(meaning, formula, without=(1, mpmath.ncdf(x[0][1])))
