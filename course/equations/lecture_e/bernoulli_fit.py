"""Equations 66 to 72: maximum likelihood of naive Bayes with binary features."""

from fractions import Fraction
from math import prod

import mpmath

from course.equations.calculus import derivative
from course.equations.cases import probability
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_e.models import bernoulli

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


@check("E70", "fractions", reviews)
def share_of_a_feature_in_class_1(x, y, theta, prior):
    rows = list(zip(x, y, strict=True))
    meaning = best_of_features(x, y, theta, prior, 1)
    formula = [
        Fraction(sum(y_n == 1 and x_n[j] == 1 for x_n, y_n in rows)) / sum(y_n == 1 for _, y_n in rows)
        for j in FEATURES
    ]
    printed = [estimate(x, y, 1 - j, 1) for j in FEATURES]
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


@check("E71", "fractions", reviews)
def share_of_a_feature_in_class_0(x, y, theta, prior):
    rows = list(zip(x, y, strict=True))
    meaning = best_of_features(x, y, theta, prior, 0)
    formula = [
        Fraction(sum(y_n == 0 and x_n[j] == 1 for x_n, y_n in rows)) / sum(y_n == 0 for _, y_n in rows)
        for j in FEATURES
    ]
    printed = [estimate(x, y, 1 - j, 0) for j in FEATURES]
    return Erratum(meaning, formula, printed)


@check("E72", "fractions", reviews)
def share_of_class_1(x, y, theta, prior):
    meaning = best(lambda t: likelihood(x, y, theta, t))
    count = len(y)
    formula = Fraction(sum(y_n == 1 for y_n in y)) / count
    return Holds(meaning, formula)
