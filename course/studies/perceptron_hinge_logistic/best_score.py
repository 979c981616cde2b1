"""Which score z a loss asks for, where the probability of y = 1 is p."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probml.losses import Loss

Array = NDArray[np.float64]


def expected_loss(loss: Loss, p: Array, z: Array, answers: tuple[float, float] = (-1.0, 1.0)) -> Array:
    """p l(1, z) + (1 - p) l(-1, z), for all p and z: shape (len(p), len(z)). answers : codes of the two classes."""
    low, high = (loss.value(np.full_like(z, answer), z) for answer in answers)
    return p[:, None] * high + (1 - p)[:, None] * low


def best_score(loss: Loss, p: Sequence[float] | Array, z: Array, answers: tuple[float, float] = (-1.0, 1.0)) -> Array:
    """The z of a grid with the least expected loss; of several, the nearest to 0. Shape (len(p),)."""
    z = z[np.argsort(np.abs(z), kind="stable")]
    risk = expected_loss(loss, np.asarray(p, dtype=np.float64), z, answers)
    return z[np.argmin(risk > risk.min(axis=1, keepdims=True) + 1e-12, axis=1)]
