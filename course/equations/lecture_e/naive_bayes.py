"""Equations 53 to 72: Bayes' rule, the naive Bayes model of binary features, its maximum likelihood."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import mpmath

from course.equations.calculus import derivative
from course.equations.cases import distribution, joint, probability
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import bernoulli


def parts(p):
    """p(y), p(x) and p(x | y) of a table p[y][x]; all pairs of a class and a value."""
    prior = [sum(row) for row in p]
    evidence = [sum(column) for column in zip(*p, strict=True)]
    given = [[p_xy / p_y for p_xy in row] for row, p_y in zip(p, prior, strict=True)]
    return prior, evidence, given, [(y, x) for y in range(len(p)) for x in range(len(p[0]))]


@check("E53", "fractions", joint)
def joint_probability(p):
    prior, _, given, pairs = parts(p)
    meaning = [p[y][x] for y, x in pairs]
    formula = [given[y][x] * prior[y] for y, x in pairs]
    printed = [given[y][x] * prior[y] / sum(given[k][x] * prior[k] for k in range(len(p))) for y, x in pairs]
    return Erratum(meaning, formula, printed)


@check("E54", "fractions", joint)
def bayes_rule(p):
    prior, evidence, given, pairs = parts(p)
    meaning = [p[y][x] / sum(row[x] for row in p) for y, x in pairs]
    formula = [given[y][x] * prior[y] / evidence[x] for y, x in pairs]
    return Holds(meaning, formula)


@check("E55", "fractions", joint)
def most_probable_class(p):
    prior, evidence, given, _ = parts(p)
    classes, values = range(len(p)), range(len(p[0]))
    meaning = [max(classes, key=lambda y, x=x: p[y][x] / evidence[x]) for x in values]
    formula = [max(classes, key=lambda y, x=x: given[y][x] * prior[y]) for x in values]
    return Holds(meaning, formula)


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


FEATURES = (0, 1)


def reviews(rng):
    """x : two binary features of six reviews; y : classes 0 and 1, both there; theta[i][y], prior : probabilities."""
    y = [0, 1, *(int(each) for each in rng.integers(0, 2, 4))]
    x = [[int(each) for each in rng.integers(0, 2, 2)] for _ in y]
    theta = [[probability(rng), probability(rng)] for _ in FEATURES]
    return {"x": x, "y": y, "theta": theta, "prior": probability(rng)}


def likelihood(x, y, theta, prior):
    """Product of p(y_n) p(x_n1 | y_n) p(x_n2 | y_n)."""
    return prod(
        bernoulli(y_n, prior) * bernoulli(x_n[0], theta[0][y_n]) * bernoulli(x_n[1], theta[1][y_n])
        for x_n, y_n in zip(x, y, strict=True)
    )


def replaced(theta, j, k, value):
    """theta with another theta[j][k]."""
    return [[value if (i, y) == (j, k) else theta[i][y] for y in (0, 1)] for i in FEATURES]


def value_and_slopes(f, theta):
    """f(theta), and its derivatives in theta[j][1] by differences."""
    return [f(theta), *(derivative(lambda t, j=j: f(replaced(theta, j, 1, t)), theta[j][1]) for j in FEATURES)]


def slopes_of_log_likelihood(x, y, theta, prior):
    """Derivatives in theta[j][1], as those of the likelihood divided by it."""
    value, *slopes = value_and_slopes(lambda t: likelihood(x, y, t, prior), theta)
    return [slope / value for slope in slopes]


def each_feature(f, theta):
    """f(theta[j], j) for each feature, and its derivatives in theta[j][1] by differences."""
    values = [f(theta[j], j) for j in FEATURES]
    return [values, [derivative(lambda t, j=j: f([theta[j][0], t], j), theta[j][1]) for j in FEATURES]]


@check("E66", "differences", reviews)
def log_likelihood_of_naive_bayes(x, y, theta, prior):
    rows = list(zip(x, y, strict=True))
    meaning = [
        mpmath.log(likelihood(x, y, theta, prior)),
        *slopes_of_log_likelihood(x, y, theta, prior),
    ]
    formula = value_and_slopes(
        lambda t: sum(
            sum(mpmath.log(t[i][y_n] * (x_n[i] == 1) + (1 - t[i][y_n]) * (x_n[i] == 0)) for i in FEATURES)
            + mpmath.log(bernoulli(y_n, prior))
            for x_n, y_n in rows
        ),
        theta,
    )
    return Holds(meaning, formula)


@check("E67", "differences", reviews)
def other_features_do_not_matter(x, y, theta, prior):
    rows = list(zip(x, y, strict=True))
    alone = [mpmath.log(prod(bernoulli(x_n[j], theta[j][y_n]) for x_n, y_n in rows)) for j in FEATURES]
    meaning = [alone, slopes_of_log_likelihood(x, y, theta, prior)]
    formula = each_feature(
        lambda t, j: sum(mpmath.log(t[y_n] * (x_n[j] == 1) + (1 - t[y_n]) * (x_n[j] == 0)) for x_n, y_n in rows),
        theta,
    )
    return Holds(meaning, formula)


@check("E68", "differences", reviews)
def derivative_of_the_log_likelihood(x, y, theta, prior):
    rows = list(zip(x, y, strict=True))
    meaning = slopes_of_log_likelihood(x, y, theta, prior)
    formula = [
        sum(
            (y_n == 1 and x_n[j] == 1) * (1 / theta[j][1]) - (y_n == 1 and x_n[j] == 0) * (1 / (1 - theta[j][1]))
            for x_n, y_n in rows
        )
        for j in FEATURES
    ]
    printed = [
        sum((x_n[j] == 1) / theta[j][1] + (x_n[j] == 0) / (1 - theta[j][1]) for x_n, y_n in rows if y_n == 1)
        for j in FEATURES
    ]
    return Erratum(meaning, formula, printed)


# Shares of at most six reviews: the best probability is one of them, whichever way it is found.
SHARES = sorted({Fraction(a, b) for b in range(1, 7) for a in range(b + 1)})


def best(likelihood_of):
    """The share with the largest likelihood."""
    return max(SHARES, key=likelihood_of)


def best_of_features(x, y, theta, prior, k):
    """For each feature, the best theta[j][k] by search."""
    return [best(lambda t, j=j: likelihood(x, y, replaced(theta, j, k, t), prior)) for j in FEATURES]


def estimate(x, y, feature, k):
    """What eqs. 70 and 71 count, for a feature and a class."""
    return Fraction(sum(y_n == k and x_n[feature] == 1 for x_n, y_n in zip(x, y, strict=True)), y.count(k))


@check("E70", "fractions", reviews, k=1)
@check("E71", "fractions", reviews, k=0)
def share_of_a_feature_in_a_class(x, y, theta, prior, k):
    rows = list(zip(x, y, strict=True))
    meaning = best_of_features(x, y, theta, prior, k)
    formula = [
        Fraction(sum(y_n == k and x_n[j] == 1 for x_n, y_n in rows)) / sum(y_n == k for _, y_n in rows)
        for j in FEATURES
    ]
    printed = [estimate(x, y, 1 - j, k) for j in FEATURES]
    return Erratum(meaning, formula, printed)


def fake_reviews(rng):
    """fake : two to six reviews, as sets of words."""
    words = ("absolutely", "bed", "clean")
    return {"fake": [{word for word in words if rng.random() < 0.5} for _ in range(int(rng.integers(2, 7)))]}


@check("E70a", "fractions", fake_reviews)
def count_of_a_word(fake):
    def likelihood_of(theta, pile):
        return prod(bernoulli(int("absolutely" in review), theta) for review in pile)

    containing = [review for review in fake if "absolutely" in review]
    meaning = best(lambda t: likelihood_of(t, fake))
    formula = Fraction(len(containing)) / len(fake)
    # With no review at all, how many values share the first place?
    of_none = [likelihood_of(t, []) for t in SHARES]
    return Conditional(meaning, formula, without=(1, of_none.count(max(of_none))))


@check("E72", "fractions", reviews)
def share_of_class_1(x, y, theta, prior):
    meaning = best(lambda t: likelihood(x, y, theta, t))
    count = len(y)
    formula = Fraction(sum(y_n == 1 for y_n in y)) / count
    return Holds(meaning, formula)
