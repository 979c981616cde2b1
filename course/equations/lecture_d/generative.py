"""The generative view: class prior, joint likelihood, features of texts, the multinomial and its estimate."""

from collections import Counter
from itertools import product
from math import factorial, prod, sqrt

import mpmath
import numpy as np
from mpmath import log

from course.equations.calculus import derivative, dot, gradient, hessian, vector
from course.equations.cases import fixed
from course.equations.entry import Conditional, Erratum, Estimate, Holds, check
from course.equations.lecture_c.cases import labelled_points
from course.equations.lecture_d.cases import documents, generator, histograms


@check("D2", "simulation", generator)
def class_first_then_features(theta, p, seed):
    rng, draws = np.random.default_rng(seed), 20000
    y = (rng.random(draws) < float(theta)).astype(int)
    below = np.cumsum(np.array(p, dtype=float), axis=1)[y]
    x = np.sum(rng.random(draws)[:, None] > below[:, :2], axis=1)
    counted = [[float(np.mean((y == b) & (x == v))) for v in range(3)] for b in range(2)]
    meaning = [[Estimate(share, sqrt(share * (1 - share) / draws)) for share in row] for row in counted]
    p_y = [1 - theta, theta]
    formula = [[p_y[b] * p[b][v] for v in range(3)] for b in range(2)]
    return Holds(meaning, formula)


@check("D9", "50 digits", labelled_points)
def loss_of_independent_examples(p, x, y):
    p_y = [sum(row) for row in p]
    p_x_given_y = [[each / p_y[b] for each in row] for b, row in enumerate(p)]
    examples = list(zip(x, y, strict=True))
    meaning = -log(mpmath.fprod(p[b][v] for v, b in examples))
    formula = -sum(log(p_y[b]) + log(p_x_given_y[b][v]) for v, b in examples)
    return Holds(meaning, formula)


@check("D12", "enumeration", fixed)
def words_that_are_there():
    words = ["A", "sentimental", "mess"]
    meaning = [words.count(word) for word in ("A", "mess", "sentimental", "true")]
    formula = [1, 1, 1, 0]
    return Holds(meaning, formula)


@check("D13", "enumeration", fixed)
def properties_that_are_there():
    words, dictionary = ["Your", "diploma", "a", "UUNIVERSITY", "JOB"], {"your", "diploma", "a", "university", "job"}
    tests = (
        lambda word: word.lower() not in dictionary,
        str.isupper,
        lambda word: word == "diploma",
        lambda word: word == "mess",
    )
    meaning = [int(any(map(test, words))) for test in tests]
    formula = [1, 1, 1, 0]
    return Holds(meaning, formula)


def of_histogram(x, pi):
    """P(histogram x) by the definition: the sum over all sequences of words that have it."""
    words = range(len(x))
    sequences = (each for each in product(words, repeat=sum(x)) if [each.count(j) for j in words] == x)
    return sum(prod(pi[j] for j in sequence) for sequence in sequences)


def coefficient(x):
    """How many sequences have the histogram x."""
    return factorial(sum(x)) // prod(map(factorial, x))


def log_probability(x, pi):
    """ln p(x; pi), coefficient and all."""
    return log(coefficient(x)) + dot(x, map(log, pi))


def columns(x):
    """Counts of each word in all documents."""
    return [sum(column) for column in zip(*x, strict=True)]


def log_likelihood(x):
    """ln of the probability of all documents x, as a function of pi."""
    constant, words = sum(log(coefficient(x_n)) for x_n in x), columns(x)
    return lambda pi: constant + dot(words, map(log, pi))


def maximiser(f, start):
    """The probabilities with the largest f, which takes a list of them, by Newton's method with differences.

    The probabilities are e^eta_j over their sum, the last eta 0, so that no constraint is left.
    """

    def probabilities(eta):
        weights = [*map(mpmath.exp, eta), mpmath.mpf(1)]
        return [each / sum(weights) for each in weights]

    def of_eta(eta):
        return f(probabilities(eta))

    eta = [log(each / start[-1]) for each in start[:-1]]
    for _ in range(8):
        slope, bend = gradient(of_eta, eta), hessian(of_eta, eta)
        step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
        eta = [a - b for a, b in zip(eta, step, strict=True)]
        if max(map(abs, step)) < mpmath.mpf("1e-25"):
            break
    return probabilities(eta)


def most_likely(x):
    """The probabilities that make the documents x most probable."""
    return maximiser(log_likelihood(x), start=[mpmath.mpf(n + 1) for n in columns(x)])


def lagrangian(x, pi, lam):
    """L(pi, lambda) of D17."""
    return sum(x_n[j] * log(pi[j]) for x_n in x for j in range(3)) + lam * (1 - sum(pi))


@check("D15a", "fractions", histograms)
def probability_of_a_histogram(pi, rho, x, other):
    draws, repeats = factorial(sum(x)), prod(map(factorial, x))
    meaning = of_histogram(x, pi)
    formula = draws * prod(p**n for p, n in zip(pi, x, strict=True)) / repeats
    return Holds(meaning, formula)


@check("D15b", "fractions", histograms)
def proportional_in_the_probabilities(pi, rho, x, other):
    def kernel(counts, p):
        return prod(each**n for each, n in zip(p, counts, strict=True))

    meaning = of_histogram(x, pi) / of_histogram(x, rho)
    formula = kernel(x, pi) / kernel(x, rho)
    without = of_histogram(x, pi) / of_histogram(other, pi), kernel(x, pi) / kernel(other, pi)
    return Conditional(meaning, formula, without)


@check("D16", "50 digits", histograms)
def same_order_of_all_probabilities(pi, rho, x, other):
    x = [x, other]
    meaning = log(prod(of_histogram(x_n, pi) for x_n in x)) - log(prod(of_histogram(x_n, rho) for x_n in x))
    log_pi, log_rho = list(map(log, pi)), list(map(log, rho))
    formula = sum(dot(x_n, log_pi) for x_n in x) - sum(dot(x_n, log_rho) for x_n in x)
    return Holds(meaning, formula)


@check("D18a", "differences", documents)
def slope_of_the_lagrangian(x, y, pi, lam):
    meaning = gradient(lambda p: lagrangian(x, p, lam), pi)
    formula = [sum(x_n[j] / pi[j] for x_n in x) - lam for j in range(3)]
    return Holds(meaning, formula)


def flat_point(x, lam, j):
    """The pi_j at which L is flat: where its slope, by differences, changes sign."""

    def slope(logarithm):
        return derivative(
            lambda t: lagrangian(x, [t if i == j else mpmath.mpf(1) for i in range(3)], lam), mpmath.exp(logarithm)
        )

    return mpmath.exp(mpmath.findroot(slope, (-10, 10), solver="ridder"))


@check("D18b", "differences", documents)
def where_the_lagrangian_is_flat(x, y, pi, lam):
    meaning = [flat_point(x, lam, j) for j in range(3)]
    formula = [sum(x_n[j] for x_n in x) / lam for j in range(3)]
    return Holds(meaning, formula)


@check("D19a", "differences", documents)
def slope_in_the_multiplier(x, y, pi, lam):
    meaning = derivative(lambda t: lagrangian(x, pi, t), lam)
    formula = 1 - sum(pi)
    printed = sum(pi)
    return Erratum(meaning, formula, printed)


@check("D19b", "differences", documents)
def sum_of_flat_points(x, y, pi, lam):
    meaning = sum(flat_point(x, lam, j) for j in range(3))
    formula = sum(sum(x_n[j] / lam for x_n in x) for j in range(3))
    return Holds(meaning, formula)


@check("D19c", "differences", documents)
def multiplier_is_the_number_of_words(x, y, pi, lam):
    meaning = gradient(log_likelihood(x), most_likely(x))
    formula = [sum(sum(x_n) for x_n in x)] * 3
    return Holds(meaning, formula)


@check("D20a", "differences", documents)
def shares_of_words_are_most_likely(x, y, pi, lam):
    meaning = most_likely(x)
    total = mpmath.mpf(sum(map(sum, x)))
    formula = [sum(x_n[j] for x_n in x) / total for j in range(3)]
    return Holds(meaning, formula)


@check("D20b", "50 digits", documents)
def shares_of_words_in_matrix_form(x, y, pi, lam):
    words = [j for x_n in x for j, n in enumerate(x_n) for _ in range(n)]
    counted = Counter(words)
    meaning = [mpmath.mpf(counted[j]) / len(words) for j in range(3)]
    X, words_1, documents_1 = mpmath.matrix(x), mpmath.ones(3, 1), mpmath.ones(len(x), 1)
    formula = vector(X.T * documents_1 / (documents_1.T * X * words_1)[0])
    return Holds(meaning, formula)
