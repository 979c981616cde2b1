"""What is proved of many estimates, or of many classifiers, at once."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import binom

from course.studies.sample_complexity.problems import even

Array = NDArray[np.float64]
SIZES = tuple(2**k for k in range(5, 14))  # numbers of examples
SETS = 500  # drawn for each of them


def hoeffding_radius(n: int, m: int, delta: float) -> float:
    """ε with P(any of 2 n estimates is off by ε or more) ≤ 4 n exp(-2 (m / 2) ε²) = delta."""
    return float(np.sqrt(np.log(4 * n / delta) / m))


def hoeffding_examples(n: int, eps: float, delta: float) -> float:
    """m from which on all 2 n estimates are within eps, with probability 1 - delta at least."""
    return float(np.log(4 * n / delta) / eps**2)


def largest_errors(n: int, m: int, p: float, runs: int, rng: np.random.Generator) -> Array:
    """max over features j and classes k of |p̂_jk - p|, for `runs` sets of m / 2 examples of each class, shape (runs,).

    p̂_jk is the proportion of the examples of class k in which feature j is 1; features are independent.
    """
    count = rng.binomial(even(m) // 2, p, size=(runs, 2 * n))
    return np.abs(count / (m // 2) - p).max(axis=1)


def largest_by_size(features: Iterable[int], p: float, seed: int) -> dict[int, Array]:
    """`largest_errors` of SETS sets for each number of features and each of SIZES, shape (sizes, sets)."""
    return {
        n: np.array([largest_errors(n, m, p, SETS, np.random.default_rng([seed, n, m])) for m in SIZES])
        for n in features
    }


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


def vc_radius(n: int, m: float, delta: float) -> float:
    """ε with P(some hyperplane's proportion of errors in m examples is off by more than ε) ≤ 8 S(m) exp(-m ε²/32) = δ.

    S(m) ≤ (e m / V)^V is the number of ways in which hyperplanes in n dimensions can label m examples, V = n + 1 their
    VC dimension, m at least V.
    """
    V = n + 1
    return float(np.sqrt(32 / m * (V * np.log(np.e * m / V) + np.log(8 / delta))))


def vc_examples(n: int, eps: float, delta: float) -> float:
    """m at which 2 vc_radius = eps: what is proved for the hyperplane with the fewest errors in the examples."""
    return float(np.exp(brentq(lambda log_m: 2 * vc_radius(n, np.exp(log_m), delta) - eps, np.log(n + 1), 60)))
