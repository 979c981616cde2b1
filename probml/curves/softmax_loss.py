"""The softmax loss of many training parts."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.special import softmax

from probml.curves.newton import CERTAIN, Primal
from probml.typing import Array, Indices, Mask


def contrasts(K: int) -> Array:
    """E, shape (K, K - 1), with orthonormal columns that sum to 0: scores E u sum to 0, and |E u| = |u|."""
    E: Array = helmert(K).T
    return E


@dataclass(frozen=True)
class SoftmaxProblems(Primal):
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
