"""The same probabilities by other vectors: what is added to all of them changes nothing."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def against(theta: Array, reference: int) -> Array:
    """θ_k - θ_reference, shape (K, n): the vectors with those of one class at 0."""
    return theta - theta[reference]


def centred(theta: Array) -> Array:
    """θ_k - mean of all θ_k, shape (K, n): the shortest vectors with the same differences."""
    return theta - theta.mean(axis=0)


def differences(theta: Array) -> Array:
    """θ_k - θ_l for all k < l, on which alone the probabilities depend. Shape (K (K - 1) / 2, n)."""
    k, other = np.triu_indices(len(theta), 1)
    return theta[k] - theta[other]
