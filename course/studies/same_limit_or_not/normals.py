"""Two normal classes: exact errors and log losses of linear classifiers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

Array = NDArray[np.float64]
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)  # E f(z), z ~ Normal(0, 1), is sum_i WEIGHTS_i f(NODES_i)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class TwoNormals:
    """x | y = k ~ Normal(mean_k, covariance_k), both classes with equal odds.

    mean : shape (2, n). covariance : shape (2, n, n); one of shape (n, n) is for both.
    """

    mean: Array
    covariance: Array

    def __post_init__(self) -> None:
        mean, covariance = (np.asarray(each, dtype=np.float64) for each in (self.mean, self.covariance))
        if covariance.ndim == 2:
            covariance = np.stack([covariance, covariance])
        n = mean.shape[-1]
        if mean.shape != (2, n) or covariance.shape != (2, n, n):
            shapes = f"{mean.shape} and {covariance.shape}"
            raise ValueError(f"mean must have shape (2, n) and covariance (2, n, n), received {shapes}")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", covariance)

    @property
    def n(self) -> int:
        """Features."""
        return self.mean.shape[1]

    def scores(self, w: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
        """Mean and standard deviation of w · x + b in each class, shapes (..., 2), for w of shape (..., n)."""
        w, b = np.asarray(w, dtype=np.float64), np.asarray(b, dtype=np.float64)
        variance = np.einsum("...i,kij,...j->...k", w, self.covariance, w)
        return w @ self.mean.T + b[..., None], np.sqrt(variance)

    def error(self, w: ArrayLike, b: ArrayLike) -> Array:
        """P(w · x + b is on the wrong side of 0), shape (...)."""
        mean, deviation = self.scores(w, b)
        return ndtr(np.array([1.0, -1.0]) * mean / deviation).mean(axis=-1)

    def log_loss(self, w: ArrayLike, b: ArrayLike) -> Array:
        """E log(1 + e^(∓(w · x + b))), shape (...): one integral for each class, by Gauss and Hermite's rule."""
        mean, deviation = self.scores(w, b)
        z = mean[..., None] + deviation[..., None] * NODES
        return (np.logaddexp(0, np.array([[1.0], [-1.0]]) * z) @ WEIGHTS).mean(axis=-1)

    def log_odds(self, X: Array) -> Array:
        """log p(y = 1 | x) / p(y = 0 | x), shape (m,), for X of shape (m, n)."""
        log_density = []
        for mean, covariance in zip(self.mean, self.covariance, strict=True):
            L = np.linalg.cholesky(covariance)
            white = np.linalg.solve(L, (X - mean).T)
            log_density.append(-(white**2).sum(axis=0) / 2 - np.log(np.diag(L)).sum())
        return log_density[1] - log_density[0]

    def draw(self, m: int, rng: np.random.Generator, runs: int | None = None) -> tuple[Array, NDArray[np.intp]]:
        """m / 2 examples of each class: X, shape (m, n), and y, shape (m,); with runs, a set for each run before it."""
        if m % 2:
            raise ValueError(f"both classes have m / 2 examples: m must be even, received {m}")
        y = np.repeat([0, 1], m // 2)
        e = rng.standard_normal((*([] if runs is None else [runs]), m, self.n))
        root = np.linalg.cholesky(self.covariance)
        X = np.concatenate([e[..., y == k, :] @ root[k].T + self.mean[k] for k in (0, 1)], axis=-2)
        return X, y if runs is None else np.tile(y, (runs, 1))
