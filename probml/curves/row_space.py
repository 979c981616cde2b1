"""Orthonormal coordinates for the predictors that a training subset can have.

Xc, the centred part, has the singular values s and the rank r. Predictors are z = Xc w + b = Z v + b with Z, shape
(m, r), an orthonormal basis of the columns of Xc, and of all w that give them back · v is the shortest: |w|² is
sum_j v_j² / s_j². Constant and dependent features, the rule for 0/1 indicators in small subsets, leave no trace.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from probml.curves.cholesky import RANK
from probml.typing import Array, Indices

STEP = 8


@dataclass(frozen=True)
class RowSpace:
    """Some training subsets of nearly the same rank: r is theirs, rounded up to a multiple of STEP.

    which : their numbers, shape (b,). Z : shape (b, m, r), 0 in columns beyond the rank. back : shape (b, n, r).
    square : s², and 1 beyond the rank, shape (b, r). centre : the means of the features, shape (b, n).
    """

    which: Indices
    Z: Array
    back: Array
    square: Array
    centre: Array

    def penalty(self, l2: float) -> Array:
        """l2 / s_j² for the coordinates, 0 for the intercept: shape (b, r + 1)."""
        return np.pad(l2 / self.square, ((0, 0), (0, 1)))

    def raw(self, theta: Array) -> Array:
        """θ = (w, b) of the features as they are, shape (b, n + 1), from that of Z, shape (b, r + 1)."""
        w = theta[:, None, :-1] @ self.back.transpose(0, 2, 1)
        intercept = theta[:, None, -1:] - w @ self.centre[:, :, None]
        return np.concatenate([w, intercept], axis=2)[:, 0]


def with_one(X: Array) -> Array:
    """(x, 1), shape (b, m, n + 1)."""
    return np.concatenate([X, np.ones((*X.shape[:2], 1))], axis=2)


def row_spaces(X: Array, which: Indices) -> Iterator[RowSpace]:
    """The subsets `which` of X, shape (B, m, n), in groups.

    The shapes in which a subset is worked on depend on the subset alone, so that its numbers, to the last bit, do not
    depend on what else is in the batch: its columns that are not constant, and its rank, are filled up to multiples of
    STEP, not to what the largest in the batch needs.
    """
    n = X.shape[2]
    active = (X[which] != X[which, :1]).any(axis=1)  # shape (b, n)
    width = np.minimum(-(-active.sum(axis=1) // STEP) * STEP, n)
    order = np.argsort(~active, axis=1, kind="stable")  # active columns first
    for a in np.unique(width):
        own = np.flatnonzero(width == a)
        columns = np.sort(order[own, :a], axis=1)[:, None]
        yield from _of_equal_width(np.take_along_axis(X[which[own]], columns, axis=2), columns, which[own], n)


def _of_equal_width(part: Array, columns: Indices, which: Indices, n: int) -> Iterator[RowSpace]:
    """Subsets, shape (b, m, a), with all columns that are not constant; their columns, shape (b, 1, a), among all n."""
    b, m, a = part.shape
    mean = part.mean(axis=1, keepdims=True)
    part = np.where((part != part[:, :1]).any(axis=1, keepdims=True), part - mean, 0.0)
    centre = np.zeros((b, n))
    np.put_along_axis(centre, columns[:, 0], mean[:, 0], axis=1)
    wide = a >= m
    square, V = np.linalg.eigh(part @ part.transpose(0, 2, 1) if wide else part.transpose(0, 2, 1) @ part)
    # Centring takes one direction away from m examples, whatever rounding makes of it.
    rank = np.minimum((square > RANK * square[:, -1:]).sum(axis=1), m - 1)
    filled = np.minimum(-(-rank // STEP) * STEP, square.shape[1])
    for r in np.unique(filled):
        own = np.flatnonzero(filled == r)
        beyond = np.arange(r) < r - rank[own, None]  # eigenvalues ascend
        s2 = np.where(beyond, 1.0, square[own, square.shape[1] - r :])
        basis = np.where(beyond[:, None], 0.0, V[own][:, :, V.shape[2] - r :])
        root = np.sqrt(s2)[:, None]
        Z = basis if wide else part[own] @ (basis / root)
        short = part[own].transpose(0, 2, 1) @ (basis / s2[:, None]) if wide else basis / root
        back = np.zeros((len(own), n, r))
        np.put_along_axis(back, np.broadcast_to(columns[own].transpose(0, 2, 1), short.shape), short, axis=1)
        yield RowSpace(which[own], Z, back, s2, centre[own])
