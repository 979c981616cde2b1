"""Logistic regression for a batch of training parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves.dual_logistic import DualLogisticProblems
from probml.curves.likelihood import Coefficients, Likelihood, penalties, with_one
from probml.curves.logistic_loss import LogisticProblems
from probml.curves.newton import newton
from probml.curves.parts import Array, Parts
from probml.curves.row_space import RowSpace
from probml.errors import ParameterError


@dataclass(frozen=True)
class LogisticRegression(Likelihood):
    """p(second of two classes | x) = 1 / (1 + e^-(w · x + b)): `probml.linear_model.LogisticRegression` of many parts.

    For arguments see `Likelihood`.
    """

    def check(self, X: Array, K: int) -> None:
        """Two classes."""
        if K != 2:
            raise ParameterError(f"LogisticRegression is for two classes, y has {K}: use SoftmaxRegression")

    def _put_strong(self, found: Coefficients, parts: Parts, which: NDArray[np.intp], l2: float) -> None:
        m, n = parts.X.shape[1:]
        if m > n:
            super()._put_strong(found, parts, which, l2)
            return
        X = parts.X[which]
        centre = X.mean(axis=1)
        X = X - centre[:, None]
        theta, _ = newton(DualLogisticProblems(X @ X.transpose(0, 2, 1), _sides(parts, which), l2))
        w = (theta[:, None, :-1] @ X)[:, 0]
        found.put_raw(which, np.column_stack([w, theta[:, -1] - np.einsum("bn,bn->b", w, centre)]))

    def _problems(self, space: RowSpace, parts: Parts, l2: float) -> LogisticProblems:
        return LogisticProblems(with_one(space.Z), _sides(parts, space.which), penalties(space, l2, 1))

    def _start(self, problems: LogisticProblems) -> Array:
        """Twice the first step of Newton's method from 0, where the Hessian is 1/4 of diag(1, ..., 1, m)."""
        theta = 4 * (problems.side[:, None, :] @ problems.A)[:, 0]
        theta[:, -1] /= problems.A.shape[1]
        return theta

    def _constraints(self, problems: LogisticProblems) -> Array:
        return problems.side[:, :, None] * problems.A

    def _cone(self, parts: Parts, which: NDArray[np.intp]) -> Array:
        return _sides(parts, which)[:, :, None] * with_one(parts.X[which])

    def _empty(self, parts: Parts) -> Coefficients:
        return Coefficients.empty(len(parts.X), parts.X.shape[2], np.ones((1, 1)))


def _sides(parts: Parts, which: NDArray[np.intp]) -> Array:
    return 2.0 * parts.y[which] - 1
