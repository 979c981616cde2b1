"""Multinomial naive Bayes: its parameters, and its discriminant function."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import mpmath
from mpmath import log

from course.equations.calculus import dot
from course.equations.cases import precise
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_d.cases import documents, naive_bayes
from course.equations.lecture_d.generative import log_probability, maximiser, most_likely, of_histogram


def joint(theta, pi, x):
    """p(x, y) of both classes, with p(x | y) summed over all sequences of words with the histogram x."""
    return [(1 - theta) * of_histogram(x, pi[0]), theta * of_histogram(x, pi[1])]


def posterior(theta, pi, x):
    """p(y | x) of both classes."""
    both = joint(theta, pi, x)
    return [each / sum(both) for each in both]


def log_odds(theta, pi, x):
    """ln p(y = 1 | x) / p(y = 0 | x)."""
    of_0, of_1 = joint(theta, pi, x)
    return log(of_1 / of_0)


@check("D22", "fractions", naive_bayes)
def coefficient_is_the_same_in_both_classes(theta, pi, x):
    meaning = of_histogram(x, pi[1]) / of_histogram(x, pi[0])
    kernel = [prod(p**n for p, n in zip(of_class, x, strict=True)) for of_class in pi]
    formula = kernel[1] / kernel[0]
    return Holds(meaning, formula)


@check("D23", "fractions", naive_bayes)
def posterior_of_a_document(theta, pi, x):
    meaning = posterior(theta, pi, x)
    prior, kernel = [1 - theta, theta], [prod(p**n for p, n in zip(of_class, x, strict=True)) for of_class in pi]
    formula = [prior[y] * kernel[y] / sum(prior[c] * kernel[c] for c in range(2)) for y in range(2)]
    return Holds(meaning, formula)


@check("D24", "enumeration", precise(documents))
def maxima_of_the_parts(x, y, pi, lam):
    thetas = [mpmath.mpf(k) / 4 for k in range(1, 4)]
    grid = [
        [mpmath.mpf(k) / 5 for k in each] for each in ((1, 1, 3), (1, 3, 1), (3, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1))
    ]
    of_words = [[log_probability(x_n, p) for p in grid] for x_n in x]
    rows = list(zip(of_words, y, strict=True))
    meaning = max(
        sum(log(theta if y_n else 1 - theta) + of_x[b if y_n else a] for of_x, y_n in rows)
        for theta, a, b in product(thetas, range(6), range(6))
    )
    of_pi = [sum(of_x[b if y_n else a] for of_x, y_n in rows) for a, b in product(range(6), range(6))]
    of_theta = [sum(log(theta if y_n else 1 - theta) for y_n in y) for theta in thetas]
    formula = max(of_pi) + max(of_theta)
    return Holds(meaning, formula)


@check("D25", "differences", documents)
def share_of_class_1_is_most_likely(x, y, pi, lam):
    start = [mpmath.mpf(1), mpmath.mpf(1)]
    meaning = maximiser(lambda p: sum(log(p[0] if y_n else p[1]) for y_n in y), start)[0]
    ones, N = [mpmath.mpf(1)] * len(y), len(y)
    formula = dot(ones, y) / N
    return Holds(meaning, formula)


@check("D26a", "differences", documents)
def shares_of_words_in_class_0(x, y, pi, lam):
    meaning = most_likely([x_n for x_n, y_n in zip(x, y, strict=True) if y_n == 0])
    rows, J = list(zip(x, map(mpmath.mpf, y), strict=True)), range(3)
    formula = [
        sum((1 - y_n) * x_n[j] for x_n, y_n in rows) / sum((1 - y_n) * x_n[i] for x_n, y_n in rows for i in J)
        for j in J
    ]
    return Holds(meaning, formula)


@check("D26b", "differences", documents)
def shares_of_words_in_class_1(x, y, pi, lam):
    meaning = most_likely([x_n for x_n, y_n in zip(x, y, strict=True) if y_n == 1])
    rows, J = list(zip(x, map(mpmath.mpf, y), strict=True)), range(3)
    formula = [sum(y_n * x_n[j] for x_n, y_n in rows) / sum(y_n * x_n[i] for x_n, y_n in rows for i in J) for j in J]
    return Holds(meaning, formula)


def coin(rng):
    """Counts of two words, and alpha."""
    return {"counts": [int(each) for each in rng.integers(0, 6, 2)], "alpha": int(rng.integers(2, 6))}


@check("D27", "fractions", coin)
def mean_of_the_posterior(counts, alpha):
    def integral(a, b):
        """Of t^a (1 - t)^b from 0 to 1, power by power."""
        return sum(Fraction((-1) ** k * comb(b, k), a + k + 1) for k in range(b + 1))

    a, b = (n + alpha - 1 for n in counts)
    meaning = [integral(a + 1, b) / integral(a, b), integral(a, b + 1) / integral(a, b)]
    m, total, pseudo = 2, sum(counts), Fraction(alpha)
    formula = [(n + pseudo) / (total + m * pseudo) for n in counts]
    mode = maximiser(lambda t: a * log(t[0]) + b * log(t[1]), [mpmath.mpf(a), mpmath.mpf(b)])
    return Conditional(meaning, formula, without=(mode, formula))


@check("D28", "50 digits", naive_bayes)
def log_posterior_up_to_a_constant(theta, pi, x):
    meaning = list(map(log, posterior(theta, pi, x)))
    log_prior, log_likelihood = [log(1 - theta), log(theta)], [log_probability(x, of_class) for of_class in pi]
    log_evidence = log(sum(joint(theta, pi, x)))
    both = [log_likelihood[y] + log_prior[y] for y in range(2)]
    formula = [each - log_evidence for each in both]  # one summand for both classes
    proportional = [each * meaning[0] / both[0] for each in both]  # the factor that fits class 0
    return Conditional(meaning, formula, without=(meaning, proportional))


@check("D29b", "50 digits", naive_bayes)
def discriminant_without_the_coefficient(theta, pi, x):
    meaning = log_odds(theta, pi, x)
    of_0, of_1 = (prod(p**n for p, n in zip(of_class, x, strict=True)) for of_class in pi)
    formula = (log(of_1) - log(of_0)) + (log(theta) - log(1 - theta))
    return Holds(meaning, formula)


@check("D29c", "50 digits", naive_bayes)
def discriminant_as_a_sum_over_words(theta, pi, x):
    meaning = log_odds(theta, pi, x)
    formula = sum(n * log(p1 / p0) for n, p0, p1 in zip(x, *pi, strict=True)) + log(theta / (1 - theta))
    return Holds(meaning, formula)


@check("D29d", "50 digits", naive_bayes)
def discriminant_as_a_product_of_vectors(theta, pi, x):
    meaning = log_odds(theta, pi, x)
    log_ratio = [log(p1 / p0) for p0, p1 in zip(*pi, strict=True)]
    formula = dot(x, log_ratio) + log(theta / (1 - theta))
    return Holds(meaning, formula)


@check("D30", "50 digits", naive_bayes)
def discriminant_is_linear(theta, pi, x):
    meaning = log_odds(theta, pi, x)
    w0 = log_odds(theta, pi, [0, 0, 0])
    w = [log_odds(theta, pi, word) - w0 for word in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    formula = dot(x, w) + w0
    return Holds(meaning, formula)


@check("D31", "enumeration", precise(naive_bayes))
def class_prior_is_a_threshold(theta, pi, x):
    every = [list(each) for each in product(range(4), repeat=3) if sum(each) <= 3]
    meaning = [bool(of_1 > of_0) for of_0, of_1 in (posterior(theta, pi, x_n) for x_n in every)]
    log_ratio = [log(p1 / p0) for p0, p1 in zip(*pi, strict=True)]
    formula = [bool(dot(x_n, log_ratio) > log((1 - theta) / theta)) for x_n in every]
    return Holds(meaning, formula)
