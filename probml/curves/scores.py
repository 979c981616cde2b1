"""What fitted models say of every distinct row: linear scores, or the log densities of normal distributions."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Scores(Protocol):
    """B fitted models of one kind."""

    def of(self, D: Array, some: slice, values: bool = True) -> Array:
        """Scores of some of the models for rows D, shape (u, n).

        Shape (b, V, u), with V = 1 for two classes, the log odds of the second, and V = K for more.
        values : whether the scores themselves are wanted, or only which is the largest.
        """

    def rounding(self, D: Array) -> Array:
        """A bound on the rounding of scores of rows D, shape (B, 1): scores that are no further apart are equal."""

    def width(self, n: int, values: bool) -> int:
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

    def of(self, D: Array, some: slice, values: bool = True) -> Array:
        """One matrix product."""
        w, b = self.coef[some], self.intercept[some]
        scores = (w.reshape(-1, w.shape[2]) @ D.T).reshape(*b.shape, len(D))
        scores += b[:, :, None]
        return scores

    def rounding(self, D: Array) -> Array:
        """A sum of n products of numbers is off by n ε times the sum of their sizes at most."""
        sizes = np.abs(self.coef) @ np.abs(D).max(axis=0) + np.abs(self.intercept)
        return (D.shape[1] + 2) * np.finfo(np.float64).eps * sizes.max(axis=1, keepdims=True)

    def width(self, n: int, values: bool) -> int:
        """The scores, and what is found from them."""
        return 2 * self.coef.shape[1]


@dataclass(frozen=True)
class NormalScores:
    """offset_k - |R_k^T (x - mean_k)|² / 2: a normal distribution for each class.

    mean : shape (B, K, n). root : R_k with Sigma_k^-1 = R_k R_k^T, shape (B, K, n, n), or (B, K, n) where diagonal.
    offset : log prior - log det(Sigma_k) / 2, shape (B, K).
    """

    mean: Array
    root: Array
    offset: Array

    def of(self, D: Array, some: slice, values: bool = True) -> Array:
        """Whitened before they are squared."""
        if self._parabolas(values):
            return self._signs(D, some)[:, None]
        scores = np.empty((*self.offset[some].shape, len(D)))
        with np.errstate(over="ignore"):  # farther than a floating-point number can say is infinitely far
            for k in range(scores.shape[1]):
                deviation = D - self.mean[some, k][:, None, :]
                root = self.root[some, k]
                deviation = deviation @ root if root.ndim == 3 else deviation * root[:, None, :]
                scores[:, k] = self.offset[some, k][:, None] - np.einsum("bun,bun->bu", deviation, deviation) / 2
        return scores[:, 1:] - scores[:, :1] if scores.shape[1] == 2 else scores

    def rounding(self, D: Array) -> Array:
        """Ties are not looked for."""
        return np.zeros((len(self.offset), 1))

    def width(self, n: int, values: bool) -> int:
        """Deviations, whitened ones, scores; or scores, their sizes, and which are in doubt."""
        return 4 if self._parabolas(values) else 2 * n + 2 * self.offset.shape[1]

    def _parabolas(self, values: bool) -> bool:
        """Whether all that is wanted is the sign of log odds that are a sum over the features."""
        return not values and self.root.ndim == 3 and self.offset.shape[1] == 2

    def _signs(self, D: Array, some: slice) -> Array:
        """Log odds, shape (b, u), to rounding; where that leaves their sign in doubt, from whitened deviations.

        They are a_0 + a · x + c · x², one matrix product for all models and rows.
        """
        mean, precision, offset = self.mean[some], self.root[some] ** 2, self.offset[some]
        with np.errstate(over="ignore", invalid="ignore"):
            linear = precision * mean
            constant = offset - (linear * mean).sum(axis=2) / 2
            coef = np.concatenate([-(precision[:, 1] - precision[:, 0]) / 2, linear[:, 1] - linear[:, 0]], axis=1)
            z = coef @ np.concatenate([D**2, D], axis=1).T
            z += (constant[:, 1] - constant[:, 0])[:, None]
            reach = (precision * (np.abs(D).max(axis=0) + np.abs(mean)) ** 2).sum(axis=2) + np.abs(offset)
            rounding = 4 * (D.shape[1] + 2) * np.finfo(np.float64).eps * reach.sum(axis=1, keepdims=True)
            # Two comparisons are faster than an absolute value, and it is rare that they differ.
            doubt = (z > rounding) == (z < -rounding)
            own = np.flatnonzero(doubt.any(axis=1))
            b, u = np.nonzero(doubt[own])
            b = own[b]
            deviation = (D[u, None] - mean[b]) * self.root[some][b]
            scores = offset[b] - np.einsum("bkn,bkn->bk", deviation, deviation) / 2
            z[b, u] = scores[:, 1] - scores[:, 0]
        return z
