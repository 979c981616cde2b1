"""Counts whose variance exceeds their mean: the negative binomial distribution, fitted by moments.

A Poisson count whose mean itself varies from message to message, by a gamma distribution of shape r, has

    p(f) = Γ(f + r) / (Γ(r) f!) (r / (r + λ))^r (λ / (r + λ))^f,      mean λ,  variance λ + λ² / r
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Array = NDArray[np.float64]
LARGEST_SHAPE = 1e6  # the distribution is Poisson but for a part in a million


def fit_by_moments(counts: Array, alpha: float) -> tuple[Array, Array]:
    """λ and r of each column, shapes (k,). counts : shape (m, k). alpha : added to each total, so that no λ is 0.

    r solves variance = λ + λ² / r; where the variance is not above the mean, r is the largest allowed.
    """
    rate = (counts.sum(axis=0) + alpha) / (len(counts) + alpha)
    beyond = np.maximum(counts.var(axis=0) - rate, rate**2 / LARGEST_SHAPE)
    return rate, rate**2 / beyond


def log_probability(counts: Array, rate: Array, shape: Array) -> Array:
    """log p of each count, shape (m, k)."""
    constant = gammaln(counts + shape) - gammaln(shape) - gammaln(counts + 1)
    return constant + shape * np.log(shape / (shape + rate)) + counts * np.log(rate / (shape + rate))


def log_ratio(counts: Array, y: NDArray[np.intp], new_counts: Array, alpha: float) -> Array:
    """What the counts of new messages add to the log odds of class 1: sum_k log p_k(f | 1) / p_k(f | 0)."""
    of_class = [log_probability(new_counts, *fit_by_moments(counts[y == j], alpha)) for j in (0, 1)]
    return (of_class[1] - of_class[0]).sum(axis=1)
