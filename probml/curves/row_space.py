"""Orthonormal coordinates for the predictors that a training part can have.

Xc, the centred part, has the singular values s and the rank r. Predictors are z = Xc w + b = Z v + b with Z, shape
(m, r), an orthonormal basis of the columns of Xc, and of all w that give them back · v is the shortest: |w|² is
sum_j v_j² / s_j². Constant and dependent features, the rule for 0/1 indicators in small parts, leave no trace.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves.parts import Array

RANK = 1e-12  # squares of singular values below this share of the largest one are rounding


@dataclass(frozen=True)
class RowSpace:
    """Some parts, all of the same rank r.

    which : their numbers, shape (b,). Z : shape (b, m, r). back : shape (b, n, r). square : s², shape (b, r).
    centre : the means of the features, shape (b, n).
    """

    which: NDArray[np.intp]
    Z: Array
    back: Array
    square: Array
    centre: Array

    @property
    def free(self) -> bool:
        """Whether every z is possible: then the classes can be separated, whatever they are."""
        return self.Z.shape[2] == self.Z.shape[1] - 1

    def coefficients(self, v: Array, b: Array) -> tuple[Array, Array]:
        """w, shape (b, V, n), and intercepts, shape (b, V), of predictors Z v + b, v of shape (b, V, r)."""
        w = v @ self.back.transpose(0, 2, 1)
        return w, b - (w @ self.centre[:, :, None])[:, :, 0]

    def raw(self, theta: Array) -> Array:
        """θ = (w, b) of the features as they are, shape (b, C (n + 1)), from that of Z, shape (b, C (r + 1))."""
        b, r = self.square.shape
        theta = theta.reshape(len(theta), -1, r + 1)
        w, intercept = self.coefficients(theta[:, :, :-1], theta[:, :, -1])
        return np.concatenate([w, intercept[:, :, None]], axis=2).reshape(b, -1)


def row_spaces(X: Array, which: NDArray[np.intp]) -> Iterator[RowSpace]:
    """The parts `which` of X, shape (B, m, n), in groups of equal rank.

    A group is never padded: the arithmetic of a part, to the last bit, does not depend on what else is in the batch.
    """
    active = (X[which] != X[which, :1]).any(axis=1)  # shape (b, n)
    count = active.sum(axis=1)
    for a in np.unique(count):
        own = np.flatnonzero(count == a)
        columns = np.nonzero(active[own])[1].reshape(len(own), 1, a)
        part = np.take_along_axis(X[which[own]], columns, axis=2)
        yield from _of_equal_width(part, columns, which[own], X.shape[2])


def _of_equal_width(part: Array, columns: NDArray[np.intp], which: NDArray[np.intp], n: int) -> Iterator[RowSpace]:
    """Parts, shape (b, m, a), without constant columns; their columns, shape (b, 1, a), among all n."""
    b, m, a = part.shape
    mean = part.mean(axis=1, keepdims=True)
    part = part - mean
    wide = a >= m
    square, V = np.linalg.eigh(part @ part.transpose(0, 2, 1) if wide else part.transpose(0, 2, 1) @ part)
    # Centring takes one direction away from m examples, whatever rounding makes of it.
    rank = np.minimum((square > RANK * square[:, -1:]).sum(axis=1), m - 1) if a else np.zeros(b, dtype=int)
    centre = np.zeros((b, n))
    np.put_along_axis(centre, columns[:, 0], mean[:, 0], axis=1)
    for r in np.unique(rank):
        own = np.flatnonzero(rank == r)
        s2, basis = square[own, square.shape[1] - r :][:, None], V[own][:, :, V.shape[2] - r :]
        Z = basis if wide else part[own] @ basis / np.sqrt(s2)
        short = part[own].transpose(0, 2, 1) @ (basis / s2) if wide else basis / np.sqrt(s2)
        back = np.zeros((len(own), n, r))
        np.put_along_axis(back, np.broadcast_to(columns[own].transpose(0, 2, 1), short.shape), short, axis=1)
        yield RowSpace(which[own], np.ascontiguousarray(Z), back, s2[:, 0], centre[own])


def always_separable(X: Array) -> NDArray[np.bool_]:
    """Whether the rows (x, 1) of a part are independent, so that every z is possible. Shape (B,), X of (B, m, n).

    Only the rank is asked for, which takes a third of the time of `row_spaces`.
    """
    B, m, n = X.shape
    if m > n + 1:
        return np.zeros(B, dtype=bool)
    part = X - X.mean(axis=1, keepdims=True)
    square = np.linalg.eigvalsh(part @ part.transpose(0, 2, 1))
    return (square > RANK * square[:, -1:]).sum(axis=1) >= m - 1
