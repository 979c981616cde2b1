"""Equations 1 to 15: linear regression, and its likelihood."""

import mpmath

from probml.equations.calculus import dot, gradient, total, vector
from probml.equations.cases import precise, regression
from probml.equations.entry import Conditional, Erratum, Holds, Lecture

lecture = Lecture("E")
lecture.definition("E1", "eq. 1", r"h(\mathbf x) = \sum_{i=0}^d \theta_i x_i = \boldsymbol\theta^\top \mathbf x", "R1")
lecture.definition(
    "E2", "eq. 2", r"J(\boldsymbol\theta) = \frac1N \sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)^2", "R1"
)


def log_density(y, mean, sigma):
    return mpmath.log(mpmath.npdf(y, mean, sigma))


def log_likelihood(x, y, theta, sigma):
    return total([log_density(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True)])


@lecture.holds(
    "E3",
    "eq. 3",
    r"\arg\min_{\boldsymbol\theta} J = \arg\min_{\boldsymbol\theta} (X \boldsymbol\theta - \mathbf y)^\top (X \boldsymbol\theta - \mathbf y)",
    "R1",
    method="fractions",
    case=regression,
)
def squared_loss_in_matrix_form(x, y, theta, sigma):
    residuals = [dot(theta, x_n) - y_n for x_n, y_n in zip(x, y, strict=True)]
    meaning = total([(y_n - dot(theta, x_n)) ** 2 for x_n, y_n in zip(x, y, strict=True)])
    formula = dot(residuals, residuals)
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


@lecture.erratum(
    "E15",
    "eq. 15",
    r"\frac{\partial \ell}{\partial \theta_i} = \frac1{\sigma^2} \sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)\, x_{ni}",
    "R3",
    "the sign: as printed, following the gradient goes down the likelihood",
    printed=r"\frac{\partial \ell}{\partial \theta_i} = -\frac1{\sigma^2} \sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)\, x_{ni}",
    method="differences",
    case=precise(regression),
)
def gradient_of_the_normal_likelihood(x, y, theta, sigma):
    meaning = gradient(lambda t: log_likelihood(x, y, t, sigma), theta)
    pull = [sum((y_n - dot(theta, x_n)) * x_n[i] for x_n, y_n in zip(x, y, strict=True)) for i in range(3)]
    formula = [each / sigma**2 for each in pull]
    printed = [-each / sigma**2 for each in pull]
    return Erratum(meaning, formula, printed)
