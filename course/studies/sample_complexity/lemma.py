"""All parameters of naive Bayes at once: the largest error among 2 n estimated probabilities, and its bound."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from course.studies.sample_complexity.problems import even

Array = NDArray[np.float64]


def largest_errors(n: int, m: int, p: float, runs: int, rng: np.random.Generator) -> Array:
    """max over features j and classes k of |p̂_jk - p|, for `runs` sets of m / 2 examples of each class, shape (runs,).

    p̂_jk is the share of the examples of class k in which feature j is 1; features are independent.
    """
    count = rng.binomial(even(m) // 2, p, size=(runs, 2 * n))
    return np.abs(count / (m // 2) - p).max(axis=1)


def exact_examples(n: int, eps: float, delta: float, p: float) -> int:
    """The smallest even m from which on all 2 n estimates are within eps with probability 1 - delta.

    That is P(|K - p m/2| ≤ eps m/2)^(2n) ≥ 1 - delta, with K ~ Binomial(m / 2, p). The probability is not monotone in
    m, as K is a whole number: m is one step above the last one that fails. Hoeffding's bound says where to stop.
    """
    k = np.arange(1, int(hoeffding_examples(n, eps, delta) / 2) + 2)  # examples of a class
    hair = 1e-9  # so that a limit that is a whole number counts as one
    outside = binom.sf(np.floor(k * (p + eps) + hair), k, p) + binom.cdf(np.ceil(k * (p - eps) - hair) - 1, k, p)
    fails = (1 - outside) ** (2 * n) < 1 - delta
    return int(2 * (k[fails].max(initial=0) + 1))


def hoeffding_radius(n: int, m: int, delta: float) -> float:
    """ε with P(any of 2 n estimates is off by more than ε) ≤ 4 n exp(-2 (m / 2) ε²) = delta."""
    return float(np.sqrt(np.log(4 * n / delta) / m))


def hoeffding_examples(n: int, eps: float, delta: float) -> float:
    """m from which on all 2 n estimates are within eps, with probability 1 - delta at least."""
    return float(np.log(4 * n / delta) / eps**2)
