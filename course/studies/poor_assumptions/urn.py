"""Pólya's urn: how strongly must words pull their like after them, so that they come again as often as in real posts?

Word i + 1 of a document is a new draw from the word probabilities β with probability A / (A + i), else a copy of one
of the i words before it. The counts of a document then have the Dirichlet compound multinomial distribution with
parameters A β.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from course.studies.poor_assumptions.recurrence import SAME_POST, Pairs

Array = NDArray[np.float64]


def chance_of_again(concentration: float, beta: Array, count: Array, window: int) -> Array:
    """P(a word is among the next `window` words of the urn | `count` of it among the first `window`). Shape of beta.

    One minus the product over i = 0, ..., window - 1 of the chances (B_i - b) / B_i that it is not the next word, where
    b = A beta + count, and B_i = A + window + i are the balls in the urn.
    """
    b, balls = concentration * np.asarray(beta) + count, concentration + window + np.arange(window)
    return -np.expm1(np.log1p(-b[..., None] / balls).sum(axis=-1))


def concentration_of(pairs: Pairs, window: int) -> float:
    """The A with which words come again in the same post, on average, as often as in these pairs."""
    seen = pairs.means()[SAME_POST]

    def excess(log_a: float) -> float:
        return float(chance_of_again(np.exp(log_a), pairs.beta, pairs.count, window).mean() - seen)

    return float(np.exp(brentq(excess, 0, 12)))
