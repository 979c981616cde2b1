"""What a parameter costs: a full table of n binary features against n coins, estimated from the same examples."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def outcomes(n: int) -> Array:
    """All 2^n vectors of n zeros and ones, shape (2^n, n)."""
    return np.array(list(product((0.0, 1.0), repeat=n)))


def coins(phi: Array) -> Array:
    """The table of independent features, p(x) = prod_j phi_j^x_j (1 - phi_j)^(1 - x_j). Shape (2^n,)."""
    x = outcomes(len(phi))
    return np.prod(np.where(x == 1, phi, 1 - phi), axis=1)


def hidden_cause(phi: Array, step: float) -> Array:
    """Half coins(phi + step) and half coins(phi - step): the same phi_j for each feature alone, not independent."""
    return (coins(phi + step) + coins(phi - step)) / 2


def full_table(counts: Array) -> Array:
    """(N_x + 1/2) / (m + 2^n / 2): every outcome has its own probability. counts : shape (2^n,)."""
    return (counts + 0.5) / (counts.sum() + counts.size / 2)


def naive_table(counts: Array, n: int) -> Array:
    """The table of n coins, phi_j = (N_j + 1/2) / (m + 1) with N_j the number of examples with x_j = 1."""
    return coins((counts @ outcomes(n) + 0.5) / (counts.sum() + 1))


def divergence(p: Array, q: Array) -> float:
    """KL(p ‖ q) = sum_x p(x) log p(x) / q(x): what is lost on average in log probability by q."""
    return float(p @ (np.log(p) - np.log(q)))
