"""Softmax regression for a batch of training parts."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.special import softmax

from probml.curves.checks import require_comparable, require_squares
from probml.curves.likelihood import Likelihood
from probml.curves.newton import CERTAIN, newton
from probml.curves.parts import Parts
from probml.curves.row_space import RowSpace, centred, row_spaces, with_one
from probml.typing import Array, Indices, Mask


@dataclass(frozen=True)
class SoftmaxRegression(Likelihood):
    """p(y = k | x) = softmax_k(w_k · x + b_k), scores that sum to 0: softmax regression of many parts.

    For arguments see `Likelihood`; |w|² is summed over the classes, and a part is separated where the score of the
    right class is above all others. The largest margin is that of Crammer and Singer.
    """

    def check(self, X: Array, K: int) -> None:
        """Features of comparable scales: the rank of a part is found from all squares together."""
        super().check(X, K)
        require_comparable(require_squares(X), "features")

    def _contrasts(self, K: int) -> Array:
        return contrasts(K)

    def _margins(self, A: Array, y: Indices, K: int) -> Array:
        """Rows (E_y - E_k) ⊗ a_i for each example and each wrong class k, shape (b, m (K - 1), (K - 1) q)."""
        b, m, q = A.shape
        E = contrasts(K)
        wrong = (y[:, :, None] + np.arange(1, K)) % K
        difference = E[y][:, :, None] - E[wrong]  # shape (b, m, K - 1, K - 1)
        rows: Array = (difference[..., None] * A[:, :, None, None, :]).reshape(b, m * (K - 1), (K - 1) * q)
        return rows

    def _minima(self, parts: Parts, which: Indices, l2: float) -> tuple[Array, Mask]:
        m, n = parts.X.shape[1:]
        in_features = l2 > 0 and m > n and len(which) > 0
        spaces = [centred(parts.X, which)] if in_features else row_spaces(parts.X, which)
        return self._in_spaces(spaces, parts, which, l2)

    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        penalty = space.penalty(l2, parts.K - 1)
        return newton(SoftmaxProblems(with_one(space.Z), parts.y[space.which], parts.K, penalty))


def contrasts(K: int) -> Array:
    """E, shape (K, K - 1), with orthonormal columns that sum to 0: scores E u sum to 0, and |E u| = |u|."""
    E: Array = helmert(K).T
    return E


@dataclass(frozen=True)
class SoftmaxProblems:
    """sum_i [log sum_k e^(s_ik) - s_i,y_i] with scores s_i = E Θ a_i, for each part; θ is Θ, row by row.

    A : rows a_i = (Z_i, 1), shape (b, m, q). y : classes, shape (b, m). K : how many. penalty : shape (b, (K - 1) q).
    """

    A: Array
    y: Indices
    K: int
    penalty: Array

    def take(self, keep: Indices) -> "SoftmaxProblems":
        """Some of the parts."""
        return SoftmaxProblems(self.A[keep], self.y[keep], self.K, self.penalty[keep])

    def predictors(self, theta: Array) -> Array:
        """Scores s, shape (b, m K)."""
        b, m, q = self.A.shape
        free = self.A @ theta.reshape(b, self.K - 1, q).transpose(0, 2, 1)
        return (free @ contrasts(self.K).T).reshape(b, m * self.K)

    def loss(self, z: Array, some: Indices) -> Array:
        """Of some of the parts."""
        s = self._lead(z, self.y[some])
        top = np.maximum(s.max(axis=2), 0)
        loss: Array = (top + np.log(np.exp(s - top[:, :, None]).sum(axis=2))).sum(axis=1)
        return loss

    def system(self, z: Array) -> tuple[Array, Array]:
        """Gradient sum_i E^T (p_i - e_y_i) ⊗ a_i and Hessian sum_i E^T (diag p_i - p_i p_i^T) E ⊗ a_i a_i^T."""
        b, m, q = self.A.shape
        E, C = contrasts(self.K), self.K - 1
        p = softmax(z.reshape(b, m, self.K), axis=2)
        right = (self.y[:, :, None] == np.arange(self.K)).astype(np.float64)
        gradient = ((p - right) @ E).transpose(0, 2, 1) @ self.A
        mean = p @ E
        curvature = np.einsum("bmk,kc,kd->bmcd", p, E, E) - mean[:, :, :, None] * mean[:, :, None, :]
        hessian = np.empty((b, C, q, C, q))
        for c in range(C):
            for d in range(C):
                hessian[:, c, :, d] = (self.A * curvature[:, :, c, d, None]).transpose(0, 2, 1) @ self.A
        return gradient.reshape(b, C * q), hessian.reshape(b, C * q, C * q)

    def separated(self, z: Array) -> Mask:
        """The right score above all others."""
        lead = self._lead(z, self.y)
        lead[_at(self.y)] = lead.min(axis=(1, 2))[:, None]
        above: Mask = lead < -CERTAIN * np.maximum(1, -lead.min(axis=(1, 2), keepdims=True))
        return np.asarray(above.all(axis=(1, 2)))

    def _lead(self, z: Array, y: Indices) -> Array:
        """s_ik - s_i,y_i, shape (b, m, K)."""
        s = z.reshape(*y.shape, self.K)
        return s - s[_at(y)][:, :, None]


def _at(y: Indices) -> tuple[Indices, ...]:
    """The place of the right class in scores of shape (b, m, K)."""
    b, m = y.shape
    return np.arange(b)[:, None], np.arange(m), y
