"""Many small training sets of two normal classes, and linear classifiers fitted to all of them at once."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from probml.curves import GDA, GaussianNB, LogisticRegression, Model
from probml.curves.scores import LinearScores
from probml.curves.subsets import Subsets

Array = NDArray[np.float64]
MODELS: dict[str, Model] = {
    "naive Bayes": GaussianNB(),
    "LDA": GDA(ridge=1e-6),
    "logistic regression": LogisticRegression(separable="ridge"),
}


def fitted(model: str, X: Array, y: NDArray[np.intp]) -> tuple[Array, Array]:
    """w, shape (runs, n), and b, shape (runs,), for X of shape (runs, m, n) and y of (runs, m)."""
    (scores,) = MODELS[model].fit(Subsets(X, y, K=2)).scores.values()
    assert isinstance(scores, LinearScores)
    return scores.coef[:, 0], scores.intercept[:, 0]


def descended(X: Array, y: NDArray[np.intp], steps: int) -> tuple[Array, Array]:
    """The same for logistic regression that is stopped after some steps of gradient descent from 0.

    θ ← θ - g / L with g the gradient and L = λ_max(X^T X) / 4, which no curvature exceeds.
    """
    A = np.concatenate([X, np.ones((*X.shape[:2], 1))], axis=2)
    largest = np.linalg.eigvalsh(A.transpose(0, 2, 1) @ A)[:, -1] / 4
    theta = np.zeros((len(A), A.shape[2]))
    for _ in range(steps):
        residual = expit((A @ theta[:, :, None])[:, :, 0]) - y
        theta -= (residual[:, None, :] @ A)[:, 0] / largest[:, None]
    return theta[:, :-1], theta[:, -1]


def fewest_errors(x: Array, y: NDArray[np.intp]) -> Array:
    """Thresholds with the fewest training errors, shape (runs,), for one feature x, shape (runs, m); 1 is above.

    Halfway between neighbours; of several best ones the first.
    """
    order = np.argsort(x, axis=1)
    x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)
    ones_below = np.concatenate([np.zeros((len(y), 1)), np.cumsum(y, axis=1)], axis=1)
    zeros_above = (y == 0).sum(axis=1, keepdims=True) - (np.arange(y.shape[1] + 1) - ones_below)
    best = np.argmin(ones_below + zeros_above, axis=1)
    padded = np.concatenate([x[:, :1] - 1, x, x[:, -1:] + 1], axis=1)
    rows = np.arange(len(x))
    return (padded[rows, best] + padded[rows, best + 1]) / 2
