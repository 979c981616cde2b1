"""Equations 56 to 65: the naive Bayes model of binary features."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

from course.equations.cases import distribution
from course.equations.entry import Holds, Lecture

lecture = Lecture("E")
lecture.definition("E56", "eq. 56", r"\mathbf x = [x_1, \dots, x_d], \quad x_i \in \lbrace 0, 1 \rbrace", "P4")
lecture.definition("E57", "eq. 57", r"p(\mathbf x \mid y) = p(x_1, \dots, x_d \mid y)", "F4")


def dependent_features(rng):
    """p : a joint distribution of y and three binary features, as a dictionary of (y, x_1, x_2, x_3)."""
    return {"p": dict(zip(product((0, 1), repeat=4), distribution(rng, 16), strict=True))}


def marginal(p, start):
    """Probability that (y, x_1, x_2, ...) begins so."""
    return sum(each for cell, each in p.items() if cell[: len(start)] == start)


def given_the_ones_before(p, cell):
    """p(x_1 | y), p(x_2 | y, x_1), p(x_3 | y, x_2, x_1) of a cell."""
    return [marginal(p, cell[: i + 1]) / marginal(p, cell[:i]) for i in range(1, len(cell))]


@lecture.holds(
    "E58",
    "eq. 58",
    r"p(\mathbf x \mid y) = p(x_1 \mid y) p(x_2 \mid y, x_1) \cdots p(x_d \mid y, x_{d-1}, \dots, x_1)",
    "F4",
    method="fractions",
    case=dependent_features,
)
def chain_rule_of_probability(p):
    meaning = {cell: each / marginal(p, cell[:1]) for cell, each in p.items()}
    factors = {cell: given_the_ones_before(p, cell) for cell in p}
    formula = {cell: first * second * third for cell, (first, second, third) in factors.items()}
    return Holds(meaning, formula)


@lecture.holds(
    "E59",
    "eq. 59",
    r"p(\mathbf x \mid y) = \prod_{i=1}^d p(x_i \mid y, x_1, \dots, x_{i-1})",
    "F4",
    method="fractions",
    case=dependent_features,
)
def chain_rule_as_a_product(p):
    meaning = {cell: each / marginal(p, cell[:1]) for cell, each in p.items()}
    formula = {cell: prod(given_the_ones_before(p, cell)) for cell in p}
    return Holds(meaning, formula)


lecture.definition(
    "E60", "eq. 60", r"p(\mathbf x \mid y) = \prod_{i=1}^d p(x_i \mid y)", "F4", "the naive Bayes assumption"
)
lecture.definition(
    "E61", "eq. 61", r"p(x_i = 1 \mid y = 1) = \theta_{i1}, \quad p(x_i = 1 \mid y = 0) = \theta_{i0}", "N2"
)
lecture.definition("E62", "eq. 62", r"p(y = 1) = \theta_0", "N2")

TICKETS = 5


def tickets(rng):
    """Of five tickets, ones says how many make y = 1, and features[i][y] how many make x_i = 1 in class y."""
    ones, *flat = (int(each) for each in rng.integers(1, TICKETS, 5))
    return {"ones": ones, "features": [flat[:2], flat[2:]]}


def count_draws(ones, features):
    """How many of all draws of three tickets, one for y and one for each feature, give each (y, x_1, x_2)."""
    found = Counter()
    for first, *others in product(range(TICKETS), repeat=3):
        y = int(first < ones)
        found[y, *(int(ticket < feature[y]) for ticket, feature in zip(others, features, strict=True))] += 1
    return found


def parameters(ones, features):
    """p(y) of both classes, and theta[i][y]."""
    prior = [1 - Fraction(ones, TICKETS), Fraction(ones, TICKETS)]
    return prior, [[Fraction(each, TICKETS) for each in feature] for feature in features]


@lecture.holds(
    "E63",
    "eq. 63",
    r"p(\mathbf x, y) = p(\mathbf x \mid y) p(y)",
    "N2",
    method="fractions",
    case=tickets,
)
def product_rule(ones, features):
    draws = count_draws(ones, features)
    of_class = [sum(count for cell, count in draws.items() if cell[0] == y) for y in (0, 1)]
    prior, _ = parameters(ones, features)
    meaning = {cell: Fraction(count, TICKETS**3) for cell, count in draws.items()}
    given = {cell: Fraction(count, of_class[cell[0]]) for cell, count in draws.items()}
    formula = {cell: given[cell] * prior[cell[0]] for cell in draws}
    return Holds(meaning, formula)


@lecture.holds(
    "E64",
    "eq. 64",
    r"p(\mathbf x, y) = p(y) \prod_{i=1}^d p(x_i \mid y)",
    "N2",
    method="fractions",
    case=tickets,
)
def joint_probability_of_naive_bayes(ones, features):
    draws = count_draws(ones, features)
    prior, theta = parameters(ones, features)
    meaning = {cell: Fraction(count, TICKETS**3) for cell, count in draws.items()}
    given = {
        (y, *x): [theta_i[y] if x_i else 1 - theta_i[y] for x_i, theta_i in zip(x, theta, strict=True)]
        for y, *x in draws
    }
    formula = {cell: prior[cell[0]] * prod(given[cell]) for cell in draws}
    return Holds(meaning, formula)


@lecture.holds(
    "E65",
    "eq. 65",
    r"p(\mathbf x, y) = p(y) \prod_{i=1}^d \left( \theta_{iy} \mathbb I(x_i = 1) + (1 - \theta_{iy}) \mathbb I(x_i = 0) \right)",
    "N2",
    "the product takes in both terms; the lecture has no brackets there",
    method="fractions",
    case=tickets,
)
def joint_probability_with_indicators(ones, features):
    draws = count_draws(ones, features)
    prior, theta = parameters(ones, features)
    meaning = {cell: Fraction(count, TICKETS**3) for cell, count in draws.items()}
    formula = {
        (y, *x): prior[y]
        * prod(theta_i[y] * (x_i == 1) + (1 - theta_i[y]) * (x_i == 0) for x_i, theta_i in zip(x, theta, strict=True))
        for y, *x in draws
    }
    return Holds(meaning, formula)
