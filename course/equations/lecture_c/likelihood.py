"""Logistic regression: the conditional likelihood and its logarithm."""

from itertools import product

import mpmath
from mpmath import exp, log

from course.equations.calculus import derivative, dot
from course.equations.cases import precise
from course.equations.cases import probability as share
from course.equations.entry import Erratum, Holds, Lecture
from course.equations.lecture_c.cases import labelled_points, moderate_scores, two_thetas

lecture = Lecture("C")


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


@lecture.holds(
    "C29",
    "slides *Logistic regression* and *Expressing conditional log likelihood*",
    r"p(y \mid \mathbf x) = \mu(\mathbf x)^y (1 - \mu(\mathbf x))^{1-y}",
    "L1",
    "the Bernoulli distribution: class 1 with probability μ, class 0 otherwise",
    method="fractions",
    case=lambda rng: {"mu": share(rng)},
)
def bernoulli_in_one_product(mu):
    meaning = {0: 1 - mu, 1: mu}
    formula = {y: mu**y * (1 - mu) ** (1 - y) for y in (0, 1)}
    return Holds(meaning, formula)


lecture.definition(
    "C30",
    "slides *Logistic regression*, *Expressing conditional log likelihood* and *Naive Bayes v. logistic regression* 1",
    r"\mu(\mathbf x) = \frac1{1 + e^{-\boldsymbol\theta^\top \mathbf x}}",
    "L1",
)
lecture.definition(
    "C31",
    "slide *Training logistic regression*, data likelihood",
    r"\prod_n P(\mathbf x_n, y_n; \boldsymbol\theta)",
    "F1",
)


@lecture.erratum(
    "C32",
    "slide *Training logistic regression*, data conditional likelihood",
    r"\prod_n P(y_n \mid \mathbf x_n; \boldsymbol\theta)",
    "F1",
    "class and features are exchanged: what is printed is a generative model's likelihood of the features (the display below it is right)",
    printed=r"\prod_n P(\mathbf x_n \mid y_n; \boldsymbol\theta)",
    method="fractions",
    case=labelled_points,
)
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


lecture.definition(
    "C33",
    "slide *Training logistic regression*, display",
    r"\hat{\boldsymbol\theta} = \arg\max_{\boldsymbol\theta} \ln \prod_n P(y_n \mid \mathbf x_n; \boldsymbol\theta)",
    "L2",
)


@lecture.holds(
    "C34",
    "slide *Expressing conditional log likelihood*, display 1",
    r"\ell(\boldsymbol\theta) = \ln \prod_n P(y_n \mid \mathbf x_n; \boldsymbol\theta) = \sum_n \ln P(y_n \mid \mathbf x_n; \boldsymbol\theta)",
    "L2",
    method="50 digits",
    case=precise(moderate_scores),
)
def logarithm_of_a_product(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(log(probability(y_n, dot(theta, x_n))) for x_n, y_n in zip(x, y, strict=True))
    return Holds(meaning, formula)


@lecture.holds(
    "C35a",
    "slide *Expressing conditional log likelihood*, display 2, line 1",
    r"\ell(\boldsymbol\theta) = \sum_n y_n \ln \mu(\mathbf x_n) + (1 - y_n) \ln(1 - \mu(\mathbf x_n))",
    "L2",
    method="50 digits",
    case=precise(moderate_scores),
)
def log_likelihood_by_cases(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu) + (1 - y_n) * log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@lecture.holds(
    "C35b",
    "slide *Expressing conditional log likelihood*, display 2, line 2",
    r"\ell(\boldsymbol\theta) = \sum_n y_n \ln \frac{\mu(\mathbf x_n)}{1 - \mu(\mathbf x_n)} + \ln(1 - \mu(\mathbf x_n))",
    "L2",
    method="50 digits",
    case=precise(moderate_scores),
)
def log_likelihood_by_odds(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * log(mu / (1 - mu)) + log(1 - mu) for y_n, _, mu in rows_of(x, y, theta))
    return Holds(meaning, formula)


@lecture.erratum(
    "C35c",
    "slide *Expressing conditional log likelihood*, display 2, line 3",
    r"\ell(\boldsymbol\theta) = \sum_n y_n \boldsymbol\theta^\top \mathbf x_n - \boldsymbol\theta^\top \mathbf x_n - "
    r"\ln(1 + e^{-\boldsymbol\theta^\top \mathbf x_n})",
    "L2",
    "the sign of the last logarithm: at weight 0, one example has log likelihood -ln 2, not ln 2",
    printed=r"\sum_n y_n \boldsymbol\theta^\top \mathbf x_n - \boldsymbol\theta^\top \mathbf x_n + \ln(1 + e^{-\boldsymbol\theta^\top \mathbf x_n})",
    method="50 digits",
    case=precise(moderate_scores),
)
def log_likelihood_by_scores(x, y, theta):
    meaning = log(likelihood(x, y, theta))
    formula = sum(y_n * s - s - log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    printed = sum(y_n * s - s + log(1 + exp(-s)) for y_n, s, _ in rows_of(x, y, theta))
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C35d",
    "slides *Expressing conditional log likelihood*, display 2, line 4; *Maximizing conditional log likelihood*; *Newton's method (con'd)*",
    r"\ell(\boldsymbol\theta) = \sum_n (y_n - 1)\, \boldsymbol\theta^\top \mathbf x_n - \ln(1 + e^{-\boldsymbol\theta^\top \mathbf x_n})",
    "L2",
    "the sign of C35c once more: the printed sum is convex and has no maximum",
    printed=r"\sum_n (y_n - 1)\, \boldsymbol\theta^\top \mathbf x_n + \ln(1 + e^{-\boldsymbol\theta^\top \mathbf x_n})",
    method="50 digits",
    case=precise(moderate_scores),
)
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


@lecture.holds(
    "C36",
    "slide *Maximizing conditional log likelihood*, good news",
    r"\ell(t \boldsymbol\theta + (1 - t) \boldsymbol\theta') \ge t\, \ell(\boldsymbol\theta) + (1 - t)\, \ell(\boldsymbol\theta') \quad (\ell \text{ is concave})",
    "L2",
    method="differences",
    case=precise(two_thetas),
)
def log_likelihood_is_concave(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = bool(bend <= 0)
    formula = bool(between >= chord)
    return Holds(meaning, formula)


@lecture.erratum(
    "C38",
    "slide *Newton's method (con'd)*, text below the likelihood",
    r"\ell \text{ is concave: it is largest where } \ell'(\boldsymbol\theta^\star) = 0",
    "L2",
    "concave, not convex (two slides before, it is concave): where the gradient of a convex function is 0, it is smallest",
    printed=r"\ell \text{ is convex}",
    method="differences",
    case=precise(two_thetas),
)
def log_likelihood_is_not_convex(x, y, theta, other, t):
    between, chord, bend = along_a_segment(x, y, theta, other, t)
    meaning = "concave" if bend < 0 else "convex"
    formula = "concave" if between > chord else "convex"
    return Erratum(meaning, formula, "convex")
