"""Naive Bayes for words that are there or not: model, maximum likelihood, prediction, Laplace smoothing."""

from fractions import Fraction
from itertools import product
from math import prod

from course.equations.counting import share
from course.equations.entry import Holds, check
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_b.cases import emails, messages, naive_messages, values

MESSAGES = list(product((0, 1), repeat=3))
FEATURES = range(3)


@check("B19a", "fractions", messages)
def chain_rule(rows):
    meaning = [share(rows, {"x": x}, {"y": y}) for y in (0, 1) for x in MESSAGES]
    formula = [
        share(rows, {"x1": x1}, {"y": y})
        * share(rows, {"x2": x2}, {"y": y, "x1": x1})
        * share(rows, {"x3": x3}, {"y": y, "x1": x1, "x2": x2})
        for y in (0, 1)
        for x1, x2, x3 in MESSAGES
    ]
    return Holds(meaning, formula)


@check("B19b", "fractions", naive_messages)
def naive_factorisation(rows):
    meaning = [share(rows, {"x": x}, {"y": y}) for y in (0, 1) for x in MESSAGES]
    formula = [
        share(rows, {"x1": x1}, {"y": y}) * share(rows, {"x2": x2}, {"y": y}) * share(rows, {"x3": x3}, {"y": y})
        for y in (0, 1)
        for x1, x2, x3 in MESSAGES
    ]
    return Holds(meaning, formula)


def likelihood(x, y, phi, phi_y):
    """Probability of all emails and their classes, word by word."""
    value = Fraction(1)
    for x_i, k in zip(x, y, strict=True):
        value *= phi_y if k == 1 else 1 - phi_y
        value *= prod(p if there else 1 - p for there, p in zip(x_i, phi[k], strict=True))
    return value


def most_likely_word(x, y, phi, phi_y, k, j):
    """phi[k][j] of the largest likelihood, all else being what it is."""

    def of_candidate(p):
        changed = [list(of_class) for of_class in phi]
        changed[k][j] = p[1]
        return likelihood(x, y, changed, phi_y)

    return most_likely(2, 3 * y.count(k), of_candidate)[1]


@check("B22a", "enumeration", emails, k=1)
@check("B22b", "enumeration", emails, k=0)
def most_likely_words_of_a_class(x, y, phi, phi_y, k):
    meaning = [most_likely_word(x, y, phi, phi_y, k, j) for j in FEATURES]
    formula = [
        sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) / Fraction(sum(y_i == k for y_i in y))
        for j in FEATURES
    ]
    return Holds(meaning, formula)


@check("B22c", "enumeration", emails)
def most_likely_share_of_class_1(x, y, phi, phi_y):
    meaning = most_likely(2, 3 * len(y), lambda p: likelihood(x, y, phi, p[1]))[1]
    m = Fraction(len(y))
    formula = sum(y_i == 1 for y_i in y) / m
    return Holds(meaning, formula)


@check("B23a", "fractions", messages)
def probability_of_class_1(rows):
    meaning = [share(rows, {"y": 1}, {"x": x}) for x in MESSAGES]
    formula = [share(rows, {"x": x}, {"y": 1}) * share(rows, {"y": 1}) / share(rows, {"x": x}) for x in MESSAGES]
    return Holds(meaning, formula)


@check("B23b", "fractions", naive_messages)
def naive_posterior(rows):
    def product_of_words(x, y):
        return prod(share(rows, {f"x{j + 1}": x[j]}, {"y": y}) for j in FEATURES)

    one, zero = share(rows, {"y": 1}), share(rows, {"y": 0})
    meaning = [share(rows, {"y": 1}, {"x": x}) for x in MESSAGES]
    formula = [
        product_of_words(x, 1) * one / (product_of_words(x, 1) * one + product_of_words(x, 0) * zero) for x in MESSAGES
    ]
    return Holds(meaning, formula)


def without_last_word(x):
    return [[*x_i[:2], 0] for x_i in x]


@check("B24a", "enumeration", emails, k=1)
@check("B24b", "enumeration", emails, k=0)
def unseen_word_is_most_likely_impossible(x, y, phi, phi_y, k):
    x = without_last_word(x)
    meaning = [*(most_likely_word(x, y, phi, phi_y, k, j) for j in (0, 1)), 0]
    formula = [
        sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) / Fraction(sum(y_i == k for y_i in y))
        for j in FEATURES
    ]
    return Holds(meaning, formula)


@check("B25", "enumeration", emails)
def posterior_of_an_unseen_word_is_undefined(x, y, phi, phi_y):
    x = without_last_word(x)
    fitted = [[most_likely_word(x, y, phi, phi_y, k, j) for j in FEATURES] for k in (0, 1)]
    joint = [[likelihood([(a, b, 1)], [k], fitted, phi_y) for k in (0, 1)] for a in (0, 1) for b in (0, 1)]
    meaning = [[one, zero + one] for zero, one in joint]
    formula = [[0, 0] for _ in joint]
    return Holds(meaning, formula)


@check("B26a", "enumeration", values)
def most_likely_distribution_of_values(z):
    meaning = most_likely(3, 2 * len(z), lambda p: prod(p[value] for value in z))
    m = Fraction(len(z))
    formula = [sum(z_i == j for z_i in z) / m for j in range(3)]
    return Holds(meaning, formula)


@check("B26b", "fractions", values)
def laplace_smoothing_is_the_posterior_mean_under_a_flat_prior(z):
    meaning = posterior_mean([z.count(j) for j in range(3)])
    m, k = Fraction(len(z)), 3
    formula = [(sum(z_i == j for z_i in z) + 1) / (m + k) for j in range(3)]
    return Holds(meaning, formula)


@check("B27", "fractions", values)
def smoothed_estimates_sum_to_one_and_none_is_zero(z):
    m, k = Fraction(len(z)), 3
    smoothed = [(z.count(j) + 1) / (m + k) for j in range(3)]
    meaning = [1, True]
    formula = [sum(smoothed), min(smoothed) > 0]
    return Holds(meaning, formula)


@check("B28a", "fractions", emails, k=1)
@check("B28b", "fractions", emails, k=0)
def smoothed_words_of_a_class(x, y, phi, phi_y, k):
    inside = [x_i for x_i, y_i in zip(x, y, strict=True) if y_i == k]
    seen = [[x_i[j] for x_i in inside] for j in FEATURES]
    meaning = [posterior_mean([each.count(0), each.count(1)])[1] for each in seen]
    formula = [
        (sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) + 1)
        / (Fraction(sum(y_i == k for y_i in y)) + 2)
        for j in FEATURES
    ]
    return Holds(meaning, formula)
