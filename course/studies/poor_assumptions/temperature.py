"""Posteriors made softer or sharper by one number."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from probml.metrics import log_loss

Array = NDArray[np.float64]


def tempered(joint: Array, temperature: float) -> Array:
    """Logarithms of p(j | x)^(1/T), normalised. joint : log p(x, j) or scores, shape (m, K)."""
    return log_softmax(joint / temperature, axis=1)


def best_temperature(joint: Array, y: NDArray[np.intp]) -> float:
    """T of the least log loss on documents that the model has not seen. y : classes 0 to K - 1, shape (m,).

    The loss is convex in 1/T, so that a search of one variable finds it.
    """

    def loss(log_t: float) -> float:
        return log_loss(y, tempered(joint, float(np.exp(log_t))))

    return float(np.exp(minimize_scalar(loss, bounds=(-7, 7), method="bounded", options={"xatol": 1e-6}).x))
