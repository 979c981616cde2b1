"""Logistic regression for a batch of training parts."""

from dataclasses import dataclass

import numpy as np

from probml.curves.likelihood import Coefficients, Likelihood, penalties, with_one
from probml.curves.logistic_newton import newton_logistic
from probml.curves.logistic_parts import least_penalised, most_likely
from probml.curves.parts import Parts
from probml.curves.row_space import RowSpace
from probml.errors import ParameterError
from probml.typing import Array, Indices, Mask


@dataclass(frozen=True)
class LogisticRegression(Likelihood):
    """p(second of two classes | x) = 1 / (1 + e^-(w · x + b)): `probml.linear_model.LogisticRegression` of many parts.

    For arguments see `Likelihood`.
    """

    def check(self, X: Array, K: int) -> None:
        """Two classes, and features of comparable scales."""
        if K != 2:
            raise ParameterError(f"LogisticRegression is for two classes, y has {K}: use SoftmaxRegression")
        super().check(X, K)

    def _most_likely(self, parts: Parts, which: Indices) -> tuple[Array, Mask]:
        return most_likely(parts.X, _sides(parts, slice(None)), which)

    def _least_penalised(self, parts: Parts, which: Indices, l2: float) -> Array:
        return least_penalised(parts.X, _sides(parts, slice(None)), which, l2)

    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        return newton_logistic(with_one(space.Z), _sides(parts, space.which), penalties(space, l2, 1))

    def _constraints(self, space: RowSpace, parts: Parts) -> Array:
        return _sides(parts, space.which)[:, :, None] * with_one(space.Z)

    def _cone(self, parts: Parts, which: Indices) -> Array:
        side = _sides(parts, which)[:, :, None]
        A = np.empty((*side.shape[:2], parts.X.shape[2] + 1))  # in one pass: cones are the largest arrays of a batch
        np.multiply(side, parts.X[which], out=A[:, :, :-1])
        A[:, :, -1:] = side
        return A

    def _empty(self, parts: Parts) -> Coefficients:
        return Coefficients.empty(len(parts.X), parts.X.shape[2], np.ones((1, 1)))


def _sides(parts: Parts, which: Indices | slice) -> Array:
    """+1 for the second class, -1 for the first."""
    return 2.0 * parts.y[which].astype(np.float64) - 1
