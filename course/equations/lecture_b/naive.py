"""Naive Bayes for words that are there or not: model, maximum likelihood, prediction, Laplace smoothing."""

from fractions import Fraction
from itertools import product
from math import prod

from course.equations.counting import share
from course.equations.entry import Holds, Lecture
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_b.cases import emails, messages, naive_messages, values

lecture = Lecture("B")
MESSAGES = list(product((0, 1), repeat=3))
FEATURES = range(3)

NAIVE = "section *Naive Bayes*"
LAPLACE = "section *Laplace Smoothing*"


@lecture.holds(
    "B19a",
    NAIVE + ", display 1",
    r"p(x_1, \dots, x_n \mid y) = p(x_1 \mid y)\, p(x_2 \mid y, x_1)\, p(x_3 \mid y, x_1, x_2) \cdots p(x_n \mid y, x_1, \dots, x_{n-1})",
    "F4",
    method="fractions",
    case=messages,
)
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


@lecture.holds(
    "B19b",
    NAIVE + ", display 1",
    r"p(x_1, \dots, x_n \mid y) = p(x_1 \mid y)\, p(x_2 \mid y) \cdots p(x_n \mid y) = \prod_j p(x_j \mid y)",
    "F4",
    note="under the naive assumption, which the lecture states: the words are independent in each class",
    method="fractions",
    case=naive_messages,
)
def naive_factorisation(rows):
    meaning = [share(rows, {"x": x}, {"y": y}) for y in (0, 1) for x in MESSAGES]
    formula = [
        share(rows, {"x1": x1}, {"y": y}) * share(rows, {"x2": x2}, {"y": y}) * share(rows, {"x3": x3}, {"y": y})
        for y in (0, 1)
        for x1, x2, x3 in MESSAGES
    ]
    return Holds(meaning, formula)


lecture.definition("B20a", NAIVE + ", display 2", r"\phi_{j \mid y=1} = p(x_j = 1 \mid y = 1)", "N2")
lecture.definition("B20b", NAIVE + ", display 2", r"\phi_{j \mid y=0} = p(x_j = 1 \mid y = 0)", "N2")
lecture.definition("B20c", NAIVE + ", display 2", r"\phi_y = p(y = 1)", "N2")
lecture.definition(
    "B21",
    NAIVE + ", display 3",
    r"L(\phi_y, \phi_{j \mid y=1}, \phi_{j \mid y=0}) = \prod_i p(\mathbf x_i, y_i)",
    "N2",
)


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


def estimate_of_class(key, k, display):
    @lecture.holds(
        key,
        f"{NAIVE}, display {display}",
        rf"\hat\phi_{{j \mid y={k}}} = \frac{{\sum_i 1(x_{{ij}} = 1 \wedge y_i = {k})}}{{\sum_i 1(y_i = {k})}}",
        "N2",
        method="enumeration",
        case=emails,
    )
    def most_likely_words_of_a_class(x, y, phi, phi_y):
        meaning = [most_likely_word(x, y, phi, phi_y, k, j) for j in FEATURES]
        formula = [
            sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) / Fraction(sum(y_i == k for y_i in y))
            for j in FEATURES
        ]
        return Holds(meaning, formula)


estimate_of_class("B22a", 1, 4)
estimate_of_class("B22b", 0, 4)


@lecture.holds(
    "B22c",
    NAIVE + ", display 4",
    r"\hat\phi_y = \frac{\sum_i 1(y_i = 1)}m",
    "N2",
    method="enumeration",
    case=emails,
)
def most_likely_share_of_class_1(x, y, phi, phi_y):
    meaning = most_likely(2, 3 * len(y), lambda p: likelihood(x, y, phi, p[1]))[1]
    m = Fraction(len(y))
    formula = sum(y_i == 1 for y_i in y) / m
    return Holds(meaning, formula)


@lecture.holds(
    "B23a",
    NAIVE + ", display 5",
    r"p(y = 1 \mid \mathbf x) = \frac{p(\mathbf x \mid y = 1)\, p(y = 1)}{p(\mathbf x)}",
    "F2",
    method="fractions",
    case=messages,
)
def probability_of_class_1(rows):
    meaning = [share(rows, {"y": 1}, {"x": x}) for x in MESSAGES]
    formula = [share(rows, {"x": x}, {"y": 1}) * share(rows, {"y": 1}) / share(rows, {"x": x}) for x in MESSAGES]
    return Holds(meaning, formula)


@lecture.holds(
    "B23b",
    NAIVE + ", display 5, and section *Laplace Smoothing*, display 2",
    r"p(y = 1 \mid \mathbf x) = \frac{\bigl(\prod_j p(x_j \mid y = 1)\bigr) p(y = 1)}{\bigl(\prod_j p(x_j \mid y = 1)\bigr) p(y = 1) + \bigl(\prod_j p(x_j \mid y = 0)\bigr) p(y = 0)}",
    "N2",
    method="fractions",
    case=naive_messages,
)
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


def unseen_word_of_class(key, k):
    @lecture.holds(
        key,
        LAPLACE + ", display 1",
        rf"\hat\phi_{{j \mid y={k}}} = \frac{{\sum_i 1(x_{{ij}} = 1 \wedge y_i = {k})}}{{\sum_i 1(y_i = {k})}} = 0 \text{{ for a word that is in no training email}}",
        "N2",
        method="enumeration",
        case=emails,
    )
    def unseen_word_is_most_likely_impossible(x, y, phi, phi_y):
        x = without_last_word(x)
        meaning = [*(most_likely_word(x, y, phi, phi_y, k, j) for j in (0, 1)), 0]
        formula = [
            sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) / Fraction(sum(y_i == k for y_i in y))
            for j in FEATURES
        ]
        return Holds(meaning, formula)


unseen_word_of_class("B24a", 1)
unseen_word_of_class("B24b", 0)


@lecture.holds(
    "B25",
    LAPLACE + ", display 2",
    r"p(y = 1 \mid \mathbf x) = \frac00 \text{ for an email with that word}",
    "N2",
    method="enumeration",
    case=emails,
)
def posterior_of_an_unseen_word_is_undefined(x, y, phi, phi_y):
    x = without_last_word(x)
    fitted = [[most_likely_word(x, y, phi, phi_y, k, j) for j in FEATURES] for k in (0, 1)]
    joint = [[likelihood([(a, b, 1)], [k], fitted, phi_y) for k in (0, 1)] for a in (0, 1) for b in (0, 1)]
    meaning = [[one, zero + one] for zero, one in joint]
    formula = [[0, 0] for _ in joint]
    return Holds(meaning, formula)


@lecture.holds(
    "B26a",
    LAPLACE + ", display 3",
    r"\hat\phi_j = \frac{\sum_i 1(z_i = j)}m",
    "P2",
    method="enumeration",
    case=values,
)
def most_likely_distribution_of_values(z):
    meaning = most_likely(3, 2 * len(z), lambda p: prod(p[value] for value in z))
    m = Fraction(len(z))
    formula = [sum(z_i == j for z_i in z) / m for j in range(3)]
    return Holds(meaning, formula)


@lecture.holds(
    "B26b",
    LAPLACE + ", display 3",
    r"\hat\phi_j = \frac{\sum_i 1(z_i = j) + 1}{m + k}",
    "P3",
    note="checked as the posterior mean, all distributions being equally plausible before",
    method="fractions",
    case=values,
)
def laplace_smoothing_is_the_posterior_mean_under_a_flat_prior(z):
    meaning = posterior_mean([z.count(j) for j in range(3)])
    m, k = Fraction(len(z)), 3
    formula = [(sum(z_i == j for z_i in z) + 1) / (m + k) for j in range(3)]
    return Holds(meaning, formula)


@lecture.holds(
    "B27",
    LAPLACE + ", below display 3",
    r"\sum_j \hat\phi_j = 1, \quad \hat\phi_j \ne 0 \text{ for all } j",
    "P3",
    method="fractions",
    case=values,
)
def smoothed_estimates_sum_to_one_and_none_is_zero(z):
    m, k = Fraction(len(z)), 3
    smoothed = [(z.count(j) + 1) / (m + k) for j in range(3)]
    meaning = [1, True]
    formula = [sum(smoothed), min(smoothed) > 0]
    return Holds(meaning, formula)


def smoothed_estimate_of_class(key, k):
    @lecture.holds(
        key,
        LAPLACE + ", display 4",
        rf"\hat\phi_{{j \mid y={k}}} = \frac{{\sum_i 1(x_{{ij}} = 1 \wedge y_i = {k}) + 1}}{{\sum_i 1(y_i = {k}) + 2}}",
        "P3",
        note="the lecture calls it a maximum likelihood estimate, which it is no more; checked as the posterior mean under a flat prior",
        method="fractions",
        case=emails,
    )
    def smoothed_words_of_a_class(x, y, phi, phi_y):
        inside = [x_i for x_i, y_i in zip(x, y, strict=True) if y_i == k]
        seen = [[x_i[j] for x_i in inside] for j in FEATURES]
        meaning = [posterior_mean([each.count(0), each.count(1)])[1] for each in seen]
        formula = [
            (sum(x_i[j] == 1 and y_i == k for x_i, y_i in zip(x, y, strict=True)) + 1)
            / (Fraction(sum(y_i == k for y_i in y)) + 2)
            for j in FEATURES
        ]
        return Holds(meaning, formula)


smoothed_estimate_of_class("B28a", 1)
smoothed_estimate_of_class("B28b", 0)
