"""How many examples logistic regression and naive Bayes need."""

from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import mpmath
import numpy as np
from mpmath import log, sqrt
from scipy.stats import binom, chi2, norm

from course.equations.cases import fractions
from course.equations.entry import Conditional, Erratum, Holds, check


def noisy_line(rng):
    """wrong : share of examples whose class is not the sign of x; n : number of examples."""
    return {"wrong": Fraction(int(rng.integers(1, 7)), 13), "n": int(rng.integers(30, 60))}


def sign_rules(wrong, n):
    """Of the rules sign(x) and -sign(x), the one with fewer errors on n examples: its excess error in 19 of 20 samples.

    It takes -sign(x) if half of the examples or more are wrong.
    """
    misled = sum(comb(n, k) * wrong**k * (1 - wrong) ** (n - k) for k in range((n + 1) // 2, n + 1))
    return 1 - 2 * wrong if misled > Fraction(1, 20) else 0


def slope_is_positive(atoms):
    """Whether logistic regression without intercept takes sign(x): the sign of the gradient of its likelihood at 0.

    atoms : pairs of a probability and y x with y = -1 or 1. The likelihood is concave, so this sign decides.
    """
    return sum(probability * yx for probability, yx in atoms) > 0


@check("C48", "enumeration", noisy_line)
def excess_error_within_the_bound(wrong, n):
    d = 1
    bound = np.sqrt(d / n * np.log(n / d))
    excess = sign_rules(wrong, n)
    meaning = True
    formula = bool(float(excess) <= bound)
    # Nine in ten examples have y x = 1, one in ten has y x = -100; and one in 10^12 has y x = 10^15.
    seen = [(Fraction(9, 10), 1), (Fraction(1, 10), -100)]
    unseen = (Fraction(1, 10**12), 10**15)
    error_of = {True: Fraction(1, 10), False: Fraction(9, 10)}  # of sign(x), of -sign(x); up to 10^-12
    excess = error_of[slope_is_positive(seen)] - error_of[slope_is_positive([*seen, unseen])]
    million = 10**6
    bound = np.sqrt(d / million * np.log(million / d))
    return Conditional(meaning, formula, without=(True, bool(float(excess) <= 100 * bound)))


def accuracy(rng):
    """d features, and the excess error epsilon_0 that is allowed."""
    return {"d": int(rng.integers(2, 50)), "allowed": mpmath.mpf(int(rng.integers(1, 10))) / 20}


@check("C49", "50 digits", accuracy)
def examples_that_meet_the_bound(d, allowed):
    def needed(features):
        """Where sqrt(features / n log(n / features)) falls to what is allowed, beyond its top at n = e features."""
        lower, upper = mpmath.e * features, mpmath.mpf(10) ** 5 * features
        for _ in range(180):
            middle = sqrt(lower * upper)
            if sqrt(features / middle * log(middle / features)) > allowed:
                lower = middle
            else:
                upper = middle
        return upper

    meaning = needed(mpmath.mpf(d))
    formula = needed(mpmath.mpf(1)) * d
    return Holds(meaning, formula)


def points(rng):
    """Four points on a line, and five in the plane."""
    return {"points": {1: fractions(rng, 4, 1), 2: fractions(rng, 5, 2)}}


def dichotomies(points):
    """All ways in which a threshold (one dimension) or a line (two) can divide the points, as sets of labels."""
    if len(points[0]) == 1:
        directions = [(1,)]
    else:  # along each line through two points, turned a little either way
        gaps = [(q[0] - p[0], q[1] - p[1]) for p, q in combinations(points, 2)]
        directions = [(-b + t * a, a + t * b) for a, b in gaps for t in (Fraction(-1, 10**6), Fraction(1, 10**6))]
    found = set()
    for direction in directions:
        heights = [sum(c * t for c, t in zip(direction, point, strict=True)) for point in points]
        for cut in [*heights, max(heights) + 1]:
            found.add(tuple(h < cut for h in heights))
            found.add(tuple(h >= cut for h in heights))
    return found


@check("C50", "enumeration", points)
def most_points_that_can_be_divided_in_all_ways(points):
    def all_ways(some):
        return len(dichotomies(some)) == 2 ** len(some)

    meaning = [max(k for k in range(2, len(of_d) + 1) if all_ways(of_d[:k])) for of_d in points.values()]
    formula = [d + 1 for d in points]
    printed = list(points)
    return Erratum(meaning, formula, printed)


def far_off(n, p, epsilon):
    """P(|share - p| > epsilon) for the share of n trials of probability p; 1 for no trials. n may be an array."""
    n = np.asarray(n)
    low, high = np.ceil(n * (p - epsilon) - 1e-9), np.floor(n * (p + epsilon) + 1e-9)
    return np.where(n > 0, 1 - (binom.cdf(high, n, p) - binom.cdf(low - 1, n, p)), 1.0)


def failure(n, theta, epsilon, of_class_1, of_class_0):
    """P(some parameter is further off than epsilon) after n examples.

    of_class_1, of_class_0 : from numbers of examples of a class to the probability that all its features are close.
    """
    if n < 1:
        raise ValueError(f"a number of examples must be 1 or more; received {n}")
    ones = np.arange(n + 1)
    ones = ones[np.abs(ones / n - theta) <= epsilon + 1e-9]
    return 1 - float(np.sum(binom.pmf(ones, n, theta) * of_class_1(ones) * of_class_0(n - ones)))


def discrete_features(probabilities, epsilon):
    """P(all estimates of independent Bernoulli features are close) from the number of examples of the class."""
    return lambda n: np.prod([1 - far_off(n, p, epsilon) for p in probabilities], axis=0)


@check(
    "C52", "enumeration", lambda rng: {"epsilon": int(rng.integers(2, 6)) / 20, "delta": int(rng.integers(1, 6)) / 20}
)
def examples_for_all_parameters_to_be_close(epsilon, delta):
    def fails(n, d):
        """The features are alike, so one close one to the power d stands for all."""
        return failure(n, 0.5, epsilon, *[lambda m: (1 - far_off(m, 0.5, epsilon)) ** d] * 2)

    c, sizes = 3, (1, 100, 10000)
    meaning = {"all": [True] * 3, "a fifth": [False] * 3}
    formula = {
        part: [fails(ceil(share * c / epsilon**2 * np.log(d / delta)), d) <= delta for d in sizes]
        for part, share in (("all", 1), ("a fifth", 0.2))
    }
    with_one = [fails(1, d) <= delta for d in sizes]
    return Conditional(meaning, formula, without=(meaning["all"], with_one))


def naive_bayes(rng):
    """Two classes with theta = P(y = T) between 0.3 and 0.7, five features with probabilities of their own."""
    theta = int(rng.integers(30, 71)) / 100
    return {
        "theta": theta,
        "p": (rng.integers(1, 20, (2, 5)) / 20).tolist(),
        "sigma": (rng.integers(5, 21, (2, 5)) / 20).tolist(),
    }


EPSILON, DELTA = 0.2, 0.1


@check("C53", "enumeration", naive_bayes)
def discrete_parameters_are_close(theta, p, sigma):
    n = ceil(2 / EPSILON**2 * np.log(5 / DELTA))
    fails = failure(n, theta, EPSILON, discrete_features(p[1], EPSILON), discrete_features(p[0], EPSILON))
    meaning = True
    formula = fails <= DELTA
    return Holds(meaning, formula)


def normal_features(sigma, epsilon):
    """P(all means and variances of independent normal features are close) from the number of examples of the class."""

    def close(n):
        n = np.maximum(n, 2)
        of_mean = [1 - 2 * norm.sf(epsilon * np.sqrt(n) / s) for s in sigma]
        ends = [(n * (1 + epsilon / s**2), n * (1 - epsilon / s**2)) for s in sigma]
        of_variance = [chi2.cdf(high, n - 1) - chi2.cdf(low, n - 1) for high, low in ends]
        return np.prod(of_mean, axis=0) * np.prod(of_variance, axis=0)

    return close


@check("C54", "enumeration", naive_bayes)
def continuous_parameters_are_close(theta, p, sigma):
    n = ceil(20 / EPSILON**2 * np.log(5 / DELTA))

    def fails(scale):
        """With all standard deviations times scale."""
        features = [normal_features([scale * s for s in of_class], EPSILON) for of_class in sigma]
        return failure(n, theta, EPSILON, features[1], features[0])

    meaning = True
    formula = fails(1) <= DELTA
    return Conditional(meaning, formula, without=(True, fails(10) <= DELTA))
