"""Softmax regression for a batch of training parts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_comparable, require_squares
from probml.curves.likelihood import Coefficients, Likelihood, penalties, with_one
from probml.curves.newton import newton
from probml.curves.parts import Parts
from probml.curves.row_space import RowSpace, centred, row_spaces
from probml.curves.softmax_loss import SoftmaxProblems, contrasts
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

    def _most_likely(self, parts: Parts, which: Indices) -> tuple[Array, Mask]:
        return self._in_spaces(row_spaces(parts.X, which), parts, which, 0.0)

    def _least_penalised(self, parts: Parts, which: Indices, l2: float) -> Array:
        m, n = parts.X.shape[1:]
        spaces = [centred(parts.X, which)] if m > n and len(which) else row_spaces(parts.X, which)
        return self._in_spaces(spaces, parts, which, l2)[0]

    def _in_spaces(self, spaces: Iterable[RowSpace], parts: Parts, which: Indices, l2: float) -> tuple[Array, Mask]:
        """θ, of all features, and which parts it separates; the spaces together hold the parts `which`."""
        B, _, n = parts.X.shape
        theta, separable = np.empty((B, (parts.K - 1) * (n + 1))), np.empty(B, dtype=bool)
        for space in spaces:
            found, separable[space.which] = self._solve(space, parts, l2)
            theta[space.which] = space.raw(found)
        return theta[which], separable[which]

    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        penalty = penalties(space, l2, parts.K - 1)
        return newton(SoftmaxProblems(with_one(space.Z), parts.y[space.which], parts.K, penalty))

    def _constraints(self, space: RowSpace, parts: Parts) -> Array:
        return _differences(with_one(space.Z), parts.y[space.which], parts.K)

    def _cone(self, parts: Parts, which: Indices) -> Array:
        return _differences(with_one(parts.X[which]), parts.y[which], parts.K)

    def _empty(self, parts: Parts) -> Coefficients:
        return Coefficients.empty(len(parts.X), parts.X.shape[2], contrasts(parts.K))


def _differences(A: Array, y: Indices, K: int) -> Array:
    """Rows (E_y - E_k) ⊗ a_i for each example and each wrong class k, shape (b, m (K - 1), (K - 1) q)."""
    b, m, q = A.shape
    E = contrasts(K)
    wrong = (y[:, :, None] + np.arange(1, K)) % K
    difference = E[y][:, :, None] - E[wrong]  # shape (b, m, K - 1, K - 1)
    rows: Array = (difference[..., None] * A[:, :, None, None, :]).reshape(b, m * (K - 1), (K - 1) * q)
    return rows
