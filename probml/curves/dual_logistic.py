"""Penalised logistic regression with one unknown for each example: the cheaper form where features are more."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from probml.curves.logistic_loss import logistic_loss
from probml.curves.parts import Array


@dataclass(frozen=True)
class DualLogisticProblems:
    """sum_i log(1 + e^(-t_i)) + l2/2 |w|²,  t_i = side_i (x_i · w + b),  w = sum_i α_i x_i,  θ = (α, b), for each part.

    With the products K = X X^T predictors are f = K α + b and |w|² = α^T K α: the features are not seen any more.
    Newton's method replaces the loss by parabolas with slopes s_i and curvatures v_i at f. Their minimum has

        v_i (K α + b)_i + l2 α_i = v_i f_i - s_i,      sum_i α_i = 0

    and, with α_i = √v_i u_i, a matrix that is symmetric and at least l2:  (l2 I + √v K √v) u + √v b = √v f - s / √v.

    K : shape (b, m, m). side : +1 for the second class, -1 for the first, shape (b, m).
    """

    K: Array
    side: Array
    l2: float

    @property
    def penalised(self) -> NDArray[np.bool_]:
        """All."""
        return np.ones(len(self.K), dtype=bool)

    def start(self) -> Array:
        """Zeros."""
        b, m = self.side.shape
        return np.zeros((b, m + 1))

    def take(self, keep: NDArray[np.intp]) -> "DualLogisticProblems":
        """Some of the parts."""
        return DualLogisticProblems(self.K[keep], self.side[keep], self.l2)

    def predictors(self, theta: Array) -> Array:
        """Margins t, shape (b, m)."""
        return self.side * (self._times(theta) + theta[:, -1:])

    def loss(self, z: Array, some: NDArray[np.intp]) -> Array:
        """Of some of the parts."""
        return logistic_loss(z)

    def step(self, theta: Array, z: Array) -> tuple[Array, Array]:
        """To the minimum of the parabolas; s / √v is -side e^(-t/2)."""
        wrong = expit(-z)
        slope, root = -self.side * wrong, np.sqrt(wrong * expit(z))
        M = root[:, :, None] * self.K * root[:, None, :]
        i = np.arange(M.shape[1])
        M[:, i, i] += self.l2
        target = self.side * (root * z + np.exp(-z / 2))
        p, q = np.moveaxis(np.linalg.solve(M, np.stack([target, root], axis=2)), 2, 0)
        b = np.einsum("bm,bm->b", root, p) / np.einsum("bm,bm->b", root, q)
        step = np.column_stack([root * (p - b[:, None] * q), b]) - theta
        along = np.einsum("bm,bm->b", slope + self.l2 * theta[:, :-1], self._times(step))
        return step, along + slope.sum(axis=1) * step[:, -1]

    def penalty_along(self, theta: Array, step: Array) -> tuple[Array, Array]:
        """Of l2/2 α^T K α."""
        moved = self.l2 * self._times(step)
        return np.einsum("bm,bm->b", theta[:, :-1], moved), np.einsum("bm,bm->b", step[:, :-1], moved)

    def separated(self, z: Array) -> NDArray[np.bool_]:
        """With a penalty there is a minimum, whatever is separated."""
        return np.zeros(len(z), dtype=bool)

    def _times(self, theta: Array) -> Array:
        return (self.K @ theta[:, :-1, None])[:, :, 0]
