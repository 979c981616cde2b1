"""The logarithmic barrier of a cone within the unit ball; its minimum is the analytic centre."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves.parts import Array


@dataclass(frozen=True)
class Barriers:
    """-sum_i log(a_i · w) - log(1 - |w|²) for rows A, shape (b, c, d)."""

    A: Array

    @property
    def penalty(self) -> Array:
        """None. Shape (b, d)."""
        return np.zeros((len(self.A), self.A.shape[2]))

    def take(self, keep: NDArray[np.intp]) -> "Barriers":
        """Some of the cones."""
        return Barriers(self.A[keep])

    def predictors(self, theta: Array) -> Array:
        """(A w, w), shape (b, c + d)."""
        return np.concatenate([(self.A @ theta[:, :, None])[:, :, 0], theta], axis=1)

    def loss(self, z: Array, some: NDArray[np.intp]) -> Array:
        """Of some of the cones: infinite outside."""
        t, w = self._split(z)
        room = 1 - np.einsum("bd,bd->b", w, w)
        inside = (t > 0).all(axis=1) & (room > 0)
        safe = np.where(inside[:, None], t, 1.0)
        return np.where(inside, -np.log(safe).sum(axis=1) - np.log(np.where(inside, room, 1.0)), np.inf)

    def system(self, z: Array) -> tuple[Array, Array]:
        """Gradient and Hessian."""
        t, w = self._split(z)
        pull = 2 / (1 - np.einsum("bd,bd->b", w, w))[:, None]
        gradient = pull * w - ((1 / t)[:, None, :] @ self.A)[:, 0]
        scaled = self.A / t[:, :, None]
        hessian = scaled.transpose(0, 2, 1) @ scaled + (pull * w)[:, :, None] * (pull * w)[:, None, :]
        d = np.arange(w.shape[1])
        hessian[:, d, d] += pull
        return gradient, hessian

    def separated(self, z: Array) -> NDArray[np.bool_]:
        """The minimum is wanted, not any point inside."""
        return np.zeros(len(z), dtype=bool)

    def _split(self, z: Array) -> tuple[Array, Array]:
        c = self.A.shape[1]
        return z[:, :c], z[:, c:]
