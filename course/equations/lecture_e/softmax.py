"""Equations 38 to 48: from the multinomial distribution to softmax regression."""

from fractions import Fraction
from itertools import product
from math import factorial, prod

import mpmath

from course.equations.calculus import dot, vector
from course.equations.cases import distribution, fraction, fractions
from course.equations.entry import Conditional, Erratum, Holds, check

CLASSES = 3
ONE_HOT = [tuple(int(k == j) for j in range(CLASSES)) for k in range(CLASSES)]
ALL_BUT_LAST = [y[:-1] for y in ONE_HOT]


def probabilities(rng):
    """pi : probabilities of three classes."""
    return {"pi": distribution(rng, CLASSES)}


@check("E38", "fractions", probabilities)
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


@check("E39", "fractions", probabilities)
def mean_of_an_indicator(pi):
    meaning = [sum(y[k] * prod(p**y_j for p, y_j in zip(pi, y, strict=True)) for y in ONE_HOT) for k in range(CLASSES)]
    formula = pi
    return Holds(meaning, formula)


@check("E40", "50 digits", probabilities)
def probability_of_a_class(pi):
    meaning = pi
    formula = [mpmath.exp(mpmath.log(pi[0] ** y_1 * pi[1] ** y_2 * pi[2] ** y_3)) for y_1, y_2, y_3 in ONE_HOT]
    return Holds(meaning, formula)


@check("E41", "50 digits", probabilities)
def probability_as_one_exponential(pi):
    meaning = pi
    formula = [mpmath.exp(sum(y_k * mpmath.log(p) for y_k, p in zip(y, pi, strict=True))) for y in ONE_HOT]
    return Holds(meaning, formula)


def natural_parameters(rng):
    """pi : probabilities of three classes; free : three numbers."""
    return {**probabilities(rng), "free": fractions(rng, CLASSES)}


@check("E41a", "50 digits", natural_parameters)
def log_partition_function_of_dependent_parameters(pi, free):
    def log_sum(eta):
        return mpmath.log(sum(mpmath.exp(dot(y, eta)) for y in ONE_HOT))

    meaning = log_sum([mpmath.log(p) for p in pi])
    formula = 0
    return Conditional(meaning, formula, without=(log_sum(free), 0))


@check("E42", "50 digits", probabilities)
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


@check("E43", "50 digits", probabilities)
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


@check("E44", "50 digits", probabilities)
def categorical_as_an_exponential_family(pi):
    meaning = pi
    eta = [mpmath.log(p) - mpmath.log(pi[-1]) for p in pi[:-1]]
    formula = [mpmath.exp(dot(y, eta) - mpmath.log(1 + sum(mpmath.exp(each) for each in eta))) for y in ALL_BUT_LAST]
    return Holds(meaning, formula)


@check("E45", "50 digits", probabilities)
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


@check("E45a", "50 digits", three_parameters)
def probability_depends_on_all_parameters(eta, second, other):
    meaning = from_log_odds([eta, other])[0]
    formula = mpmath.exp(eta) / (1 + mpmath.exp(eta) + mpmath.exp(other))
    printed = from_log_odds([eta, second])[0]  # the same eta_1, so the same value of any f(eta_1)
    return Erratum(meaning, formula, printed)


@check("E47", "50 digits", three_parameters)
def softmax_function(eta, second, other):
    meaning = from_log_odds([eta, second])
    etas = [eta, second, 0]
    formula = [mpmath.exp(each) / sum(mpmath.exp(eta_j) for eta_j in etas) for each in etas]
    return Holds(meaning, formula)


def weights_of_classes(rng):
    """theta : weights of three classes; x : two features, the first 1."""
    return {"theta": fractions(rng, CLASSES, 2), "x": [1, fraction(rng, -7, 7)]}


@check("E48", "50 digits", weights_of_classes)
def softmax_regression(theta, x):
    def softmax(vectors):
        scores = [mpmath.exp(dot(each, x)) for each in vectors]
        return [score / sum(scores) for score in scores]

    meaning = from_log_odds([dot(each, x) for each in theta[:-1]])
    etas = [dot(each, x) for each in [*theta[:-1], [0, 0]]]
    formula = [mpmath.exp(each) / sum(mpmath.exp(eta_j) for eta_j in etas) for each in etas]
    return Conditional(meaning, formula, without=(meaning, softmax(theta)))
