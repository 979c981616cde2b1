"""What fitted models say of every distinct row: linear scores, or the log densities of normal distributions."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from probml.compiled import compiled
from probml.typing import Array

ROWS = 1024  # whose scores stay in the cache


class Scores(Protocol):
    """B fitted models of one kind."""

    def of(self, D: Array, some: slice) -> Array:
        """Scores of some of the models for rows D, shape (u, n).

        Shape (b, V, u), with V = 1 for two classes, the log odds of the second, and V = K for more.
        """

    def rounding(self, largest: Array) -> Array:
        """A bound on the rounding of scores, shape (B, 1): those that are no further apart are equal.

        largest : size of the largest value of each feature, shape (n,).
        """

    def width(self, n: int) -> int:
        """Numbers that `of` holds at once for one row of D and one model."""


@dataclass(frozen=True)
class LinearScores:
    """coef · x + intercept. coef : shape (B, V, n). intercept : shape (B, V)."""

    coef: Array
    intercept: Array

    @classmethod
    def of_classes(cls, coef: Array, intercept: Array) -> "LinearScores":
        """From the scores of each class, shapes (B, K, n) and (B, K)."""
        if coef.shape[1] > 2:
            return cls(coef, intercept)
        return cls(coef[:, 1:] - coef[:, :1], intercept[:, 1:] - intercept[:, :1])

    def of(self, D: Array, some: slice) -> Array:
        """One matrix product."""
        w, b = self.coef[some], self.intercept[some]
        scores: Array = (w.reshape(-1, w.shape[2]) @ D.T).reshape(*b.shape, len(D))
        scores += b[:, :, None]
        return scores

    def rounding(self, largest: Array) -> Array:
        """A sum of n products of numbers is off by n ε times the sum of their sizes at most."""
        sizes = np.abs(self.coef) @ largest + np.abs(self.intercept)
        bound: Array = (len(largest) + 2) * np.finfo(np.float64).eps * sizes.max(axis=1, keepdims=True)
        return bound

    def width(self, n: int) -> int:
        """The scores, and what is found from them."""
        return 2 * int(self.coef.shape[1])


@dataclass(frozen=True)
class NormalScores:
    """offset_k - |R_k^T (x - mean_k)|² / 2: a normal distribution for each class.

    mean : shape (B, K, n). root : R_k with Sigma_k^-1 = R_k R_k^T, shape (B, K, n, n), or (B, K, n) where diagonal.
    offset : log prior - log det(Sigma_k) / 2, shape (B, K).
    """

    mean: Array
    root: Array
    offset: Array

    def of(self, D: Array, some: slice) -> Array:
        """Whitened before they are squared."""
        mean, root, offset = self.mean[some], self.root[some], self.offset[some]
        with np.errstate(over="ignore", invalid="ignore"):  # farther than a number can say is infinitely far
            if root.ndim == 3:
                scores = _diagonal(np.ascontiguousarray(D.T), mean, root, offset)
            else:
                scores = np.empty((*offset.shape, len(D)))
                for k in range(scores.shape[1]):
                    deviation = (D - mean[:, k, None, :]) @ root[:, k]
                    scores[:, k] = offset[:, k, None] - np.einsum("bun,bun->bu", deviation, deviation) / 2
            return scores[:, 1:] - scores[:, :1] if scores.shape[1] == 2 else scores

    def rounding(self, largest: Array) -> Array:
        """Ties are not looked for."""
        return np.zeros((len(self.offset), 1))

    def width(self, n: int) -> int:
        """Scores and, unless they are found feature by feature, deviations, whitened or not."""
        return 2 * int(self.offset.shape[1]) + (2 * n if self.root.ndim == 4 else 0)


@compiled
def _diagonal(features: Array, mean: Array, root: Array, offset: Array) -> Array:
    """offset_k - sum_n (root_kn (x_n - mean_kn))² / 2, shape (b, K, u), for features, shape (n, u)."""
    (b, K, n), u = mean.shape, features.shape[1]
    scores = np.empty((b, K, u))
    for model in range(b):
        for start in range(0, u, ROWS):
            rows = slice(start, min(start + ROWS, u))
            for k in range(K):
                score = scores[model, k, rows]
                score[:] = offset[model, k]
                for j in range(n):
                    centre, scale, x = mean[model, k, j], root[model, k, j], features[j, rows]
                    for i in range(len(score)):
                        score[i] -= ((x[i] - centre) * scale) ** 2 / 2
    return scores
