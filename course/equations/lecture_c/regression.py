"""Linear regression: least squares, LMS, and the normal likelihood."""

import mpmath
from mpmath import exp, log, sqrt

from course.equations.calculus import derivative, dot, gradient, hessian, vector
from course.equations.cases import precise, regression
from course.equations.entry import Erratum, Holds, Lecture
from course.equations.lecture_c.cases import descent

lecture = Lecture("C")


def cost(x, y, theta):
    """J of C20."""
    return sum((dot(x_n, theta) - y_n) ** 2 for x_n, y_n in zip(x, y, strict=True)) / 2


def likelihood(x, y, theta, sigma):
    """Density of independent normal responses."""
    return mpmath.fprod(mpmath.npdf(y_n, dot(theta, x_n), sigma) for x_n, y_n in zip(x, y, strict=True))


lecture.definition(
    "C16",
    "slides *Linear regression* 1 and *Training logistic regression*",
    r"\{(\mathbf x_1, y_1), (\mathbf x_2, y_2), (\mathbf x_3, y_3), \dots, (\mathbf x_N, y_N)\}",
    "R1",
)
lecture.definition(
    "C17", "slide *Linear regression* 2, display 1", r"\hat y = \theta_0 + \theta_1 x_1 + \theta_2 x_2", "R1"
)
lecture.definition("C18", "slide *Linear regression* 2, display 2", r"\mathbf x = [1, x_1, x_2]", "R1")


@lecture.holds(
    "C19",
    "slide *Linear regression* 2, display 3",
    r"\hat y = \mathbf x^\top \boldsymbol\theta",
    "R1",
    method="fractions",
    case=regression,
)
def intercept_as_weight_of_a_constant_feature(x, y, theta, sigma):
    meaning = [theta[0] + theta[1] * x1 + theta[2] * x2 for _, x1, x2 in x]
    formula = [dot(x_n, theta) for x_n in x]
    return Holds(meaning, formula)


lecture.definition(
    "C20",
    "slide *Linear regression* 2, display 4",
    r"J(\boldsymbol\theta) = \frac12 \sum_n (\hat y_n(\mathbf x_n) - y_n)^2",
    "R1",
)
lecture.definition(
    "C21",
    "slide *The LMS method*, display 1",
    r"\theta_j^{t+1} = \theta_j^t - \alpha \frac{\partial}{\partial \theta_j} J(\boldsymbol\theta)",
    "R2",
)


@lecture.holds(
    "C22",
    "slide *The LMS method*, display 2",
    r"\theta_j^{t+1} = \theta_j^t + \alpha \sum_n (y_n - \mathbf x_n^\top \boldsymbol\theta^t)\, x_{nj}",
    "R2",
    method="differences",
    case=precise(descent),
)
def step_of_batch_descent(x, y, theta, alpha):
    slope = gradient(lambda t: cost(x, y, t), theta)
    meaning = [theta[j] - alpha * slope[j] for j in range(3)]
    rows = list(zip(x, y, strict=True))
    formula = [theta[j] + alpha * sum((y_n - dot(x_n, theta)) * x_n[j] for x_n, y_n in rows) for j in range(3)]
    return Holds(meaning, formula)


@lecture.erratum(
    "C23",
    "slide *The LMS method*, display 3",
    r"\theta_j^{t+1} = \theta_j^t + \alpha (y_n - \mathbf x_n^\top \boldsymbol\theta^t)\, x_{nj}",
    "R2",
    "the weight has the index of the example: as printed, example n moves weight n. (One example a step makes it stochastic; all coordinates move at once, "
    "so it is no coordinate descent, as the slide calls it)",
    printed=r"\theta_n^{t+1} = \theta_n^t + \alpha (y_n - \mathbf x_n^\top \boldsymbol\theta^t)\, x_{nj}",
    method="differences",
    case=precise(descent),
)
def step_of_lms(x, y, theta, alpha):
    slope = gradient(lambda t: cost(x[:1], y[:1], t), theta)
    meaning = [theta[j] - alpha * slope[j] for j in range(3)]
    x_n, y_n = x[0], y[0]
    formula = [theta[j] + alpha * (y_n - dot(x_n, theta)) * x_n[j] for j in range(3)]
    n = 0
    printed = [theta[n] + alpha * (y_n - dot(x_n, theta)) * x_n[j] for j in range(3)]
    return Erratum(meaning, formula, printed)


lecture.definition(
    "C24",
    "slide *Probabilistic interpretation of LMS*, display 1",
    r"y_n = \boldsymbol\theta^\top \mathbf x_n + \varepsilon_n, \quad \varepsilon_n \sim \mathcal N(0, \sigma^2)",
    "R3",
    "an assumption; the slide writes N(0, σ) and means the standard deviation, as C25 shows",
)


@lecture.holds(
    "C25",
    "slide *Probabilistic interpretation of LMS*, display 2",
    r"p(y_n \mid \mathbf x_n; \boldsymbol\theta) = \frac1{\sqrt{2 \pi}\, \sigma} "
    r"\exp\Bigl(-\frac{(y_n - \boldsymbol\theta^\top \mathbf x_n)^2}{2 \sigma^2}\Bigr)",
    "R3",
    method="differences",
    case=precise(regression),
)
def density_of_a_response(x, y, theta, sigma):
    x_n, y_n = x[0], y[0]
    meaning = derivative(lambda t: mpmath.ncdf((t - dot(theta, x_n)) / sigma), y_n)
    formula = 1 / (sqrt(2 * mpmath.pi) * sigma) * exp(-((y_n - dot(theta, x_n)) ** 2) / (2 * sigma**2))
    return Holds(meaning, formula)


lecture.definition(
    "C26a",
    "slide *Probabilistic interpretation of LMS*, display 3, first step",
    r"L(\boldsymbol\theta) = \prod_n p(y_n \mid \mathbf x_n; \boldsymbol\theta)",
    "R3",
    "the likelihood, for independent responses",
)


@lecture.holds(
    "C26b",
    "slide *Probabilistic interpretation of LMS*, display 3, second step",
    r"L(\boldsymbol\theta) = \Bigl(\frac1{\sqrt{2 \pi}\, \sigma}\Bigr)^N "
    r"\exp\Bigl(-\frac{\sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)^2}{2 \sigma^2}\Bigr)",
    "R3",
    method="50 digits",
    case=precise(regression),
)
def product_of_normal_densities(x, y, theta, sigma):
    """Compared as logarithms: the likelihood itself is so small that any two would agree."""
    N, rows = len(y), list(zip(x, y, strict=True))
    meaning = log(likelihood(x, y, theta, sigma))
    formula = log(
        (1 / (sqrt(2 * mpmath.pi) * sigma)) ** N
        * exp(-sum((y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows) / (2 * sigma**2))
    )
    return Holds(meaning, formula)


@lecture.erratum(
    "C27",
    "slide *Probabilistic interpretation of LMS, cont.*, display 1",
    r"\ell(\boldsymbol\theta) = N \log \frac1{\sqrt{2 \pi}\, \sigma} - \frac1{\sigma^2} \frac12 "
    r"\sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)^2",
    "R3",
    "the root must not cover σ (it does not in C26b, and may not in the slide itself: ours is a converted copy). The place of the maximum is the same",
    printed=r"N \log \frac1{\sqrt{2 \pi \sigma}} - \frac1{\sigma^2} \frac12 \sum_n (y_n - \boldsymbol\theta^\top \mathbf x_n)^2",
    method="50 digits",
    case=precise(regression),
)
def normal_log_likelihood(x, y, theta, sigma):
    N, half, rows = len(y), mpmath.mpf(1) / 2, list(zip(x, y, strict=True))
    meaning = log(likelihood(x, y, theta, sigma))
    squares = sum((y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows)
    formula = N * log(1 / (sqrt(2 * mpmath.pi) * sigma)) - 1 / sigma**2 * half * sum(
        (y_n - dot(theta, x_n)) ** 2 for x_n, y_n in rows
    )
    printed = N * log(1 / sqrt(2 * mpmath.pi * sigma)) - squares / (2 * sigma**2)
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "C28",
    "slide *Probabilistic interpretation of LMS, cont.*, display 2",
    r"\arg\max_{\boldsymbol\theta} \ell(\boldsymbol\theta) = \arg\min_{\boldsymbol\theta} J(\boldsymbol\theta), \quad "
    r"J(\boldsymbol\theta) = \frac12 \sum_n (\mathbf x_n^\top \boldsymbol\theta - y_n)^2",
    "R3",
    "the check maximises the likelihood by a Newton step with differences (it is quadratic), and minimises J by a QR factorisation",
    method="differences",
    case=precise(regression),
)
def most_likely_weights_are_those_of_least_squares(x, y, theta, sigma):
    def log_likelihood(t):
        return log(likelihood(x, y, t, sigma))

    slope, bend = gradient(log_likelihood, theta), hessian(log_likelihood, theta)
    step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
    meaning = [a - b for a, b in zip(theta, step, strict=True)]
    formula = vector(mpmath.qr_solve(mpmath.matrix(x), mpmath.matrix(y))[0])
    return Holds(meaning, formula)
