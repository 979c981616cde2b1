"""How many examples logistic regression and naive Bayes need."""

from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import mpmath
import numpy as np
from mpmath import log, sqrt
from scipy.stats import binom, chi2, norm

from course.equations.cases import fractions
from course.equations.entry import Conditional, Erratum, Holds, Lecture

lecture = Lecture("C")


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


@lecture.condition(
    "C48",
    "slide *Rate of convergence: logistic regression*, display",
    r"\epsilon(h_{\mathrm{Dis}, n}) \le \epsilon(h_{\mathrm{Dis}, \infty}) + O\Bigl(\sqrt{\frac dn \log \frac nd}\Bigr) \text{ with high probability}",
    "V3",
    "if the rule has the least training error of all linear rules, as Vapnik's bound supposes, or if the constant in O may depend on the distribution. "
    "Maximum likelihood does not minimise errors: examples too rare to be seen in a million, and far enough out, "
    "may decide its limit alone. The check has one feature and the rules sign(x) and -sign(x), and sums over all samples",
    method="enumeration",
    case=noisy_line,
)
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


@lecture.holds(
    "C49",
    "slides *Naive Bayes v. logistic regression* 3 (LR) and *Rate of convergence: logistic regression*, implication",
    r"\sqrt{\frac dn \log \frac nd} \le \epsilon_0 \text{ for } n \ge c(\epsilon_0)\, d: \text{ order } d \text{ examples suffice}",
    "V3",
    "under the condition of C48; the check finds the n at which the bound is met for d features, and compares it with d times that for one. "
    "The slide names the rule after n in the bound and after the number of features in what follows from it: n is meant",
    method="50 digits",
    case=accuracy,
)
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


@lecture.erratum(
    "C50",
    "slide *Rate of convergence: logistic regression*, last bullet",
    r"\text{the VC dimension of linear separators in } d \text{ dimensions is } d + 1",
    "V3",
    "d + 1 with an intercept, which the lecture's logistic regression has, and d without: a threshold on a line can divide two points in all four ways. The order of C48 is the same",
    printed=r"\text{the VC dimension of linear separators in } d \text{ dimensions is } d",
    method="enumeration",
    case=points,
)
def most_points_that_can_be_divided_in_all_ways(points):
    def all_ways(some):
        return len(dichotomies(some)) == 2 ** len(some)

    meaning = [max(k for k in range(2, len(of_d) + 1) if all_ways(of_d[:k])) for of_d in points.values()]
    formula = [d + 1 for d in points]
    printed = list(points)
    return Erratum(meaning, formula, printed)


lecture.definition(
    "C51",
    "slide *Rate of convergence: naive Bayes parameters*, assumption",
    r"\rho_0 \le p(y = T) \le 1 - \rho_0 \quad \text{for a fixed } \rho_0 > 0",
    "V4",
    "the slide also fixes n, which it chooses two lines below: a number of pseudo-counts is meant",
)


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


@lecture.condition(
    "C52",
    "slides *Naive Bayes v. logistic regression* 3 (NB) and *Rate of convergence: naive Bayes parameters*, number of examples",
    r"n = O\Bigl(\frac1{\epsilon_1^2} \log \frac d\delta\Bigr) \text{ examples suffice}",
    "V4",
    r"if O is read as a number of this order, with a constant that may depend on $\rho_0$, as is usual; not as a bound from above: n = 1 is O of anything, and "
    "does not suffice. The check has a constant of 3 for classes of equal size and up to 10000 features, each 0 or 1 with probability 1/2; a fifth of these examples is "
    "too few",
    method="enumeration",
    case=lambda rng: {"epsilon": int(rng.integers(2, 6)) / 20, "delta": int(rng.integers(1, 6)) / 20},
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


@lecture.holds(
    "C53",
    "slide *Rate of convergence: naive Bayes parameters*, discrete inputs",
    r"\lvert \hat p(x_i \mid y = b) - p(x_i \mid y = b) \rvert \le \epsilon_1, \; \lvert \hat p(y = b) - p(y = b) \rvert \le \epsilon_1 "
    r"\text{ for all } i, b, \text{ with probability } 1 - \delta",
    "V4",
    "after as many examples as C52 says, here with c = 2 and the smaller class three in ten; the probability is summed over all sizes of the classes",
    method="enumeration",
    case=naive_bayes,
)
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


@lecture.condition(
    "C54",
    "slide *Rate of convergence: naive Bayes parameters*, continuous inputs",
    r"\lvert \hat \mu_{i \mid y = b} - \mu_{i \mid y = b} \rvert \le \epsilon_1, \; \lvert \hat \sigma^2_{i \mid y = b} - \sigma^2_{i \mid y = b} \rvert "
    r"\le \epsilon_1 \text{ for all } i, b, \text{ with probability } 1 - \delta",
    "V4",
    "if the inputs are bounded, or are normal with variances below a known number (1 in the check): the number of examples grows with the fourth power of "
    "the standard deviation, and what suffices for 1 fails for 10",
    method="enumeration",
    case=naive_bayes,
)
def continuous_parameters_are_close(theta, p, sigma):
    n = ceil(20 / EPSILON**2 * np.log(5 / DELTA))

    def fails(scale):
        """With all standard deviations times scale."""
        features = [normal_features([scale * s for s in of_class], EPSILON) for of_class in sigma]
        return failure(n, theta, EPSILON, features[1], features[0])

    meaning = True
    formula = fails(1) <= DELTA
    return Conditional(meaning, formula, without=(True, fails(10) <= DELTA))
