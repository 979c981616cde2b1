"""Softmax regression for a batch of training parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves.likelihood import Coefficients, Likelihood, penalties, with_one
from probml.curves.parts import Array, Parts
from probml.curves.row_space import RowSpace
from probml.curves.softmax_loss import SoftmaxProblems, contrasts


@dataclass(frozen=True)
class SoftmaxRegression(Likelihood):
    """p(y = k | x) = softmax_k(w_k · x + b_k), scores that sum to 0: softmax regression of many parts.

    For arguments see `Likelihood`; |w|² is summed over the classes, and a part is separated where the score of the
    right class is above all others. The largest margin is that of Crammer and Singer.
    """

    def check(self, X: Array, K: int) -> None:
        """Any number of classes."""

    def _problems(self, space: RowSpace, parts: Parts, l2: float) -> SoftmaxProblems:
        return SoftmaxProblems(with_one(space.Z), parts.y[space.which], parts.K, penalties(space, l2, parts.K - 1))

    def _constraints(self, problems: SoftmaxProblems) -> Array:
        return _differences(problems.A, problems.y, problems.K)

    def _cone(self, parts: Parts, which: NDArray[np.intp]) -> Array:
        return _differences(with_one(parts.X[which]), parts.y[which], parts.K)

    def _empty(self, parts: Parts) -> Coefficients:
        return Coefficients.empty(len(parts.X), parts.X.shape[2], contrasts(parts.K))


def _differences(A: Array, y: NDArray[np.intp], K: int) -> Array:
    """Rows (E_y - E_k) ⊗ a_i for each example and each wrong class k, shape (b, m (K - 1), (K - 1) q)."""
    b, m, q = A.shape
    E = contrasts(K)
    wrong = (y[:, :, None] + np.arange(1, K)) % K
    difference = E[y][:, :, None] - E[wrong]  # shape (b, m, K - 1, K - 1)
    return (difference[..., None] * A[:, :, None, None, :]).reshape(b, m * (K - 1), (K - 1) * q)
