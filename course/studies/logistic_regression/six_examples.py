"""Six examples with one feature, for which likelihoods can be drawn: overlapping classes, and separated ones."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_expit

Array = NDArray[np.float64]
X = np.array([-2.0, -1.2, -0.4, 0.5, 1.1, 2.2])
OVERLAPPING = np.array([0, 0, 1, 0, 1, 1])
SEPARATED = np.array([0, 0, 0, 1, 1, 1])
MIDDLE = (X[2] + X[3]) / 2  # halfway between the two separated classes


def log_posterior(y: NDArray, w: ArrayLike, b: ArrayLike, penalty: float = 0.0) -> Array:
    """ℓ(w, b) - λ w² / 2, in the shape of w and b."""
    w, b = np.broadcast_arrays(np.asarray(w, dtype=np.float64), np.asarray(b, dtype=np.float64))
    z = w[..., None] * X + b[..., None]
    return log_expit((2 * y - 1) * z).sum(axis=-1) - penalty * w**2 / 2
