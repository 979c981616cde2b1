"""Equations 56 to 65: the naive Bayes model of binary features."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

from course.equations.cases import distribution
from course.equations.entry import Holds, check


def dependent_features(rng):
    """p : a joint distribution of y and three binary features, as a dictionary of (y, x_1, x_2, x_3)."""
    return {"p": dict(zip(product((0, 1), repeat=4), distribution(rng, 16), strict=True))}


def marginal(p, start):
    """Probability that (y, x_1, x_2, ...) begins so."""
    return sum(each for cell, each in p.items() if cell[: len(start)] == start)


def given_the_ones_before(p, cell):
    """p(x_1 | y), p(x_2 | y, x_1), p(x_3 | y, x_2, x_1) of a cell."""
    return [marginal(p, cell[: i + 1]) / marginal(p, cell[:i]) for i in range(1, len(cell))]


@check("E58", "fractions", dependent_features)
def chain_rule_of_probability(p):
    meaning = {cell: each / marginal(p, cell[:1]) for cell, each in p.items()}
    factors = {cell: given_the_ones_before(p, cell) for cell in p}
    formula = {cell: first * second * third for cell, (first, second, third) in factors.items()}
    return Holds(meaning, formula)


@check("E59", "fractions", dependent_features)
def chain_rule_as_a_product(p):
    meaning = {cell: each / marginal(p, cell[:1]) for cell, each in p.items()}
    formula = {cell: prod(given_the_ones_before(p, cell)) for cell in p}
    return Holds(meaning, formula)


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


@check("E63", "fractions", tickets)
def product_rule(ones, features):
    draws = count_draws(ones, features)
    of_class = [sum(count for cell, count in draws.items() if cell[0] == y) for y in (0, 1)]
    prior, _ = parameters(ones, features)
    meaning = {cell: Fraction(count, TICKETS**3) for cell, count in draws.items()}
    given = {cell: Fraction(count, of_class[cell[0]]) for cell, count in draws.items()}
    formula = {cell: given[cell] * prior[cell[0]] for cell in draws}
    return Holds(meaning, formula)


@check("E64", "fractions", tickets)
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


@check("E65", "fractions", tickets)
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
