"""Equations 38 to 48: from the multinomial distribution to softmax regression."""

from fractions import Fraction
from itertools import product
from math import factorial, prod

import mpmath

from course.equations.calculus import dot, vector
from course.equations.cases import distribution, fraction, fractions, precise
from course.equations.entry import Conditional, Erratum, Holds, Lecture

lecture = Lecture("E")
CLASSES = 3
ONE_HOT = [tuple(int(k == j) for j in range(CLASSES)) for k in range(CLASSES)]
ALL_BUT_LAST = [y[:-1] for y in ONE_HOT]


def probabilities(rng):
    """pi : probabilities of three classes."""
    return {"pi": distribution(rng, CLASSES)}


@lecture.holds(
    "E38",
    "eq. 38",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \frac{N!}{y_1! \cdots y_K!} \pi_1^{y_1} \cdots \pi_K^{y_K} \quad (N = 1)",
    "P1",
    "checked for one draw and for three; the last factorial reads $y_k!$, a slip for $y_K!$",
    method="fractions",
    case=probabilities,
)
def multinomial_probability(pi):
    meaning = {}
    for draws in (1, 3):
        for sequence in product(range(CLASSES), repeat=draws):
            y = tuple(sequence.count(k) for k in range(CLASSES))
            meaning[y] = meaning.get(y, 0) + prod(pi[k] for k in sequence)
    formula = {
        y: Fraction(factorial(sum(y)))
        / prod(factorial(y_k) for y_k in y)
        * prod(p**y_k for p, y_k in zip(pi, y, strict=True))
        for y in meaning
    }
    return Holds(meaning, formula)


@lecture.holds(
    "E39",
    "eq. 39",
    r"\mathbb E[Y_k] = p(y_k = 1) = \pi_k",
    "P1",
    method="fractions",
    case=probabilities,
)
def mean_of_an_indicator(pi):
    meaning = [sum(y[k] * prod(p**y_j for p, y_j in zip(pi, y, strict=True)) for y in ONE_HOT) for k in range(CLASSES)]
    formula = pi
    return Holds(meaning, formula)


@lecture.holds(
    "E40",
    "eq. 40",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \exp \log \pi_1^{y_1} \cdots \pi_K^{y_K}",
    "X4",
    method="50 digits",
    case=precise(probabilities),
)
def probability_of_a_class(pi):
    meaning = pi
    formula = [mpmath.exp(mpmath.log(pi[0] ** y_1 * pi[1] ** y_2 * pi[2] ** y_3)) for y_1, y_2, y_3 in ONE_HOT]
    return Holds(meaning, formula)


@lecture.holds(
    "E41",
    "eq. 41",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \exp\left( \sum_{k=1}^K y_k \log \pi_k \right)",
    "X4",
    method="50 digits",
    case=precise(probabilities),
)
def probability_as_one_exponential(pi):
    meaning = pi
    formula = [mpmath.exp(sum(y_k * mpmath.log(p) for y_k, p in zip(y, pi, strict=True))) for y in ONE_HOT]
    return Holds(meaning, formula)


def natural_parameters(rng):
    """pi : probabilities of three classes; free : three numbers."""
    return {**probabilities(rng), "free": fractions(rng, CLASSES)}


@lecture.condition(
    "E41a",
    "beside eq. 41",
    r"A(\boldsymbol\eta) = 0",
    "X4",
    "only where the η are logarithms of numbers that sum to 1, so not free; the lecture puts two question marks, and "
    "goes on with K - 1 free ones",
    method="50 digits",
    case=precise(natural_parameters),
)
def log_partition_function_of_dependent_parameters(pi, free):
    def log_sum(eta):
        return mpmath.log(sum(mpmath.exp(dot(y, eta)) for y in ONE_HOT))

    meaning = log_sum([mpmath.log(p) for p in pi])
    formula = 0
    return Conditional(meaning, formula, without=(log_sum(free), 0))


@lecture.holds(
    "E42",
    "eq. 42",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \exp\left( \sum_{k=1}^{K-1} y_k \log \pi_k + \left(1 - \sum_{k=1}^{K-1} y_k\right) \log\left(1 - \sum_{k=1}^{K-1} \pi_k\right) \right)",
    "X4",
    method="50 digits",
    case=precise(probabilities),
)
def last_class_as_what_is_left(pi):
    meaning = pi
    first = pi[:-1]
    formula = [
        mpmath.exp(
            sum(y_k * mpmath.log(p) for y_k, p in zip(y, first, strict=True))
            + (1 - sum(y)) * mpmath.log(1 - sum(first))
        )
        for y in ALL_BUT_LAST
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "E43",
    "eq. 43",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \exp\left( \sum_{k=1}^{K-1} y_k \log \frac{\pi_k}{1 - \sum_{j=1}^{K-1} \pi_j} + \log\left(1 - \sum_{k=1}^{K-1} \pi_k\right) \right)",
    "X4",
    "the lecture has k for both indices, here and in eqs. 45, 47 and 48",
    method="50 digits",
    case=precise(probabilities),
)
def probability_with_odds(pi):
    meaning = pi
    first = pi[:-1]
    formula = [
        mpmath.exp(
            sum(y_k * mpmath.log(p / (1 - sum(first))) for y_k, p in zip(y, first, strict=True))
            + mpmath.log(1 - sum(first))
        )
        for y in ALL_BUT_LAST
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "E44",
    "eq. 44",
    r"p(\mathbf y; \pi_1, \dots, \pi_K) = \exp\left( \sum_{k=1}^{K-1} T_k(\mathbf y) \eta_k - A(\boldsymbol\eta) \right)",
    "X4",
    r"with $T_k(\mathbf y) = y_k$, $\eta_k$ of eq. 45 and $A(\boldsymbol\eta) = \log(1 + \sum_{k=1}^{K-1} e^{\eta_k})$",
    method="50 digits",
    case=precise(probabilities),
)
def categorical_as_an_exponential_family(pi):
    meaning = pi
    eta = [mpmath.log(p) - mpmath.log(pi[-1]) for p in pi[:-1]]
    formula = [mpmath.exp(dot(y, eta) - mpmath.log(1 + sum(mpmath.exp(each) for each in eta))) for y in ALL_BUT_LAST]
    return Holds(meaning, formula)


@lecture.holds(
    "E45",
    "eq. 45",
    r"\eta_k = \log \frac{\pi_k}{1 - \sum_{j=1}^{K-1} \pi_j} = \log \frac{\pi_k}{\pi_K}",
    "X4",
    method="50 digits",
    case=precise(probabilities),
)
def log_odds_against_the_last_class(pi):
    first = pi[:-1]
    meaning = [mpmath.log(p) - mpmath.log(pi[-1]) for p in first]
    formula = [mpmath.log(p / (1 - sum(first))) for p in first]
    return Holds(meaning, formula)


def from_log_odds(eta):
    """The probabilities with log(pi_k / pi_K) = eta_k, as the solution of linear equations: they sum to 1."""
    size = len(eta) + 1
    equations = mpmath.eye(size)
    for k, eta_k in enumerate(eta):
        equations[k, size - 1] = -mpmath.exp(eta_k)
    for k in range(size):
        equations[size - 1, k] = 1
    return vector(mpmath.lu_solve(equations, mpmath.matrix([0] * len(eta) + [1])))


def three_parameters(rng):
    """eta : of the first class; second, other : two values of that of the second class."""
    return {"eta": fraction(rng), "second": fraction(rng), "other": fraction(rng)}


@lecture.erratum(
    "E45a",
    "below eq. 45",
    r"\pi_k = f_k(\eta_1, \dots, \eta_{K-1})",
    "X4",
    "each probability depends on all η: no function of its own η alone gives it",
    printed=r"\pi_k = f(\eta_k)",
    method="50 digits",
    case=precise(three_parameters),
)
def probability_depends_on_all_parameters(eta, second, other):
    meaning = from_log_odds([eta, other])[0]
    formula = mpmath.exp(eta) / (1 + mpmath.exp(eta) + mpmath.exp(other))
    printed = from_log_odds([eta, second])[0]  # the same eta_1, so the same value of any f(eta_1)
    return Erratum(meaning, formula, printed)


lecture.definition("E46", "eq. 46", r"p(y_k = 1 \mid \mathbf x; \boldsymbol\theta) = \pi_k", "X4")


@lecture.holds(
    "E47",
    "eq. 47",
    r"\pi_k = \frac{e^{\eta_k}}{\sum_{j=1}^K e^{\eta_j}}",
    "X4",
    r"with $\eta_K = 0$, which eq. 45 gives for $k = K$",
    method="50 digits",
    case=precise(three_parameters),
)
def softmax_function(eta, second, other):
    meaning = from_log_odds([eta, second])
    etas = [eta, second, 0]
    formula = [mpmath.exp(each) / sum(mpmath.exp(eta_j) for eta_j in etas) for each in etas]
    return Holds(meaning, formula)


def weights_of_classes(rng):
    """theta : weights of three classes; x : two features, the first 1."""
    return {"theta": fractions(rng, CLASSES, 2), "x": [1, fraction(rng, -7, 7)]}


@lecture.condition(
    "E48",
    "eq. 48",
    r"p(y_k = 1 \mid \mathbf x; \boldsymbol\theta) = \frac{e^{\boldsymbol\theta_k^\top \mathbf x}}{\sum_{j=1}^K e^{\boldsymbol\theta_j^\top \mathbf x}}",
    "L4",
    r"if $\boldsymbol\theta_K = 0$, as $\eta_K = 0$ in eq. 47; with K free vectors the log odds of eq. 45 are "
    r"$(\boldsymbol\theta_k - \boldsymbol\theta_K)^\top \mathbf x$, and the vectors are not unique",
    method="50 digits",
    case=precise(weights_of_classes),
)
def softmax_regression(theta, x):
    def softmax(vectors):
        scores = [mpmath.exp(dot(each, x)) for each in vectors]
        return [score / sum(scores) for score in scores]

    meaning = from_log_odds([dot(each, x) for each in theta[:-1]])
    etas = [dot(each, x) for each in [*theta[:-1], [0, 0]]]
    formula = [mpmath.exp(each) / sum(mpmath.exp(eta_j) for eta_j in etas) for each in etas]
    return Conditional(meaning, formula, without=(meaning, softmax(theta)))
