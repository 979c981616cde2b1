"""The design matrix: its scale, its rank, and the shortest of all coefficients that give the same predictor."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import lstsq, qr, solve_triangular

from probml.typing import Array, Indices, Matrix

ORDINARY = 20  # columns with magnitudes of 2^-20 to 2^20 are left as they are


def dense(X: Matrix) -> Array:
    """X as an array."""
    return X if isinstance(X, np.ndarray) else np.asarray(X.toarray())


def magnitudes(X: Matrix) -> Array:
    """Largest absolute value of each column, shape (n,)."""
    if isinstance(X, np.ndarray):
        return np.asarray(np.maximum(X.max(axis=0, initial=0.0), -X.min(axis=0, initial=0.0)))
    return dense(abs(X).max(axis=0)).ravel() if X.shape[0] else np.zeros(X.shape[1])


def ordinary(X: Matrix) -> bool:
    """Whether it can be seen at a glance that all columns have ordinary magnitudes: stored entries or first rows do."""
    if not X.size:
        return False
    if isinstance(X, np.ndarray):
        values, glance = X, np.abs(X[:1000]).max(axis=0)
    else:
        values, glance = X.data, np.abs(X.data)
    high = 2.0**ORDINARY
    return bool((glance >= 1 / high).all() and values.max() <= high and values.min() >= -high)


def rescale(X: Matrix, l2: float) -> tuple[Matrix, Array, float]:
    """X / c, c of shape (n,), and the penalty for w c that is l2 for w: squares then neither overflow nor vanish.

    c is a power of two, so that nothing is rounded: one for each column, or, since one number l2 has to serve all
    columns, one for all if there is a penalty; 1 for ordinary magnitudes.
    """
    if ordinary(X):
        return X, np.ones(X.shape[1]), l2
    largest = magnitudes(X)
    if l2 > 0:
        largest = np.full_like(largest, largest.max(initial=0.0))
    exponent = np.frexp(largest)[1]
    exponent[(largest == 0) | (np.abs(exponent) <= ORDINARY)] = 1
    if (exponent == 1).all():
        return X, np.ones(len(largest)), l2
    scale = np.ldexp(1.0, exponent - 1)  # 2 to the power of 1024 would be infinite
    if l2 > 0:
        with np.errstate(over="ignore", under="ignore"):
            scaled_l2 = float(l2 / scale[0] / scale[0])
        if not 0 < scaled_l2 < np.inf:
            raise ValueError(f"values of X of up to {largest[0]:g} do not go together with l2={l2:g}: rescale X")
        l2 = scaled_l2
    return divided(X, scale), scale, l2


def with_ordinary_penalty(X: Matrix, scale: Array, l2: float) -> tuple[Matrix, Array, float]:
    """X / c, scale · c and l2 / c², for one power of two c: a penalty beyond 2^40 is then from 1 to 4.

    It would hide the curvature along the intercept, which has no penalty, behind that along w.
    """
    exponent = int(np.frexp(l2)[1]) - 1
    if exponent <= 2 * ORDINARY:
        return X, scale, l2
    c = float(np.ldexp(1.0, exponent // 2))
    return divided(X, np.full(len(scale), c)), scale * c, l2 / c / c


def divided(X: Matrix, scale: Array) -> Matrix:
    """X with column j divided by scale[j]."""
    if isinstance(X, np.ndarray):
        return X / scale
    return sparse.csr_array((X.data / scale[X.indices], X.indices, X.indptr), shape=X.shape)  # 1 / scale may be inf


@dataclass(frozen=True)
class Rank:
    """rank : of (X, 1), or of X without intercept. columns : how many there are. kept : independent columns of X.

    null : directions of w, shape (n, number of directions), that change the predictor by a constant at most, which
    the intercept takes back: -centre · null.
    """

    rank: int
    columns: int
    kept: Indices
    null: Array
    centre: Array

    @property
    def deficient(self) -> bool:
        """Whether some columns are combinations of others."""
        return self.rank < self.columns

    def shortest(self, w: Array, b: float) -> tuple[Array, float]:
        """The w of the smallest norm, and its b, with the same predictors: what a penalty leaves as l2 goes to 0."""
        shorter = w - self.null @ lstsq(self.null, w)[0]
        return shorter, b + float(self.centre @ (w - shorter))


def rank_of(X: Matrix, intercept: bool) -> Rank:
    """Rank by a pivoted QR factorisation of the centred columns, each relative to its own length.

    The intercept is centred away, and not counted as a column to leave out. A column is a combination of others if
    what is left of it is rounding: max(m, n) ε of its length.
    """
    X = dense(X)
    m, n = X.shape
    centre = X.mean(axis=0) if intercept else np.zeros(n)
    norms = np.linalg.norm(X, axis=0)
    lengths = np.where(norms > 0, norms, 1.0)
    A = (X - centre) / lengths
    R, pivots = qr(A, mode="r", pivoting=True)
    left = np.abs(np.diagonal(R))
    rank = int(np.sum(left > max(m, n) * np.finfo(np.float64).eps))
    kept, rest = pivots[:rank], pivots[rank:]
    null = np.zeros((n, n - rank))
    null[kept] = -solve_triangular(R[:rank, :rank], R[:rank, rank:])
    null[rest, np.arange(n - rank)] = 1.0
    return Rank(rank + intercept, n + intercept, np.sort(kept), null / lengths[:, None], centre)


@dataclass(frozen=True)
class OrthogonalColumns:
    """X w + b = Z v + c with orthogonal columns Z of the same space, shape (m, n), centred if there is an intercept.

    X - 1 centre^T = Z R, with R triangular: v = R w, c = b + centre · w. Solvers for v, c do not notice that columns
    of X are nearly combinations of each other, or have a mean that is large beside their standard deviation.
    """

    Z: Array
    R: Array
    centre: Array

    @classmethod
    def of(cls, X: Matrix, intercept: bool) -> "OrthogonalColumns":
        """For X, shape (m, n), with independent columns. Those of Z have a mean square of 1."""
        X = dense(X)
        centre = X.mean(axis=0) if intercept else np.zeros(X.shape[1])
        Q, R = qr(X - centre, mode="economic")
        size = np.sqrt(len(X))
        return cls(Q * size, R / size, centre)

    def to(self, theta: Array) -> Array:
        """(v, c) for (w, b), or v for w, in the rows of θ."""
        w = theta[:, : len(self.R)]
        return np.column_stack([w @ self.R.T, theta[:, len(self.R) :] + w @ self.centre[:, None]])[:, : theta.shape[1]]

    def back(self, theta: Array) -> Array:
        """(w, b) for (v, c), or w for v, in the rows of θ."""
        w = solve_triangular(self.R, theta[:, : len(self.R)].T).T
        return np.column_stack([w, theta[:, len(self.R) :] - w @ self.centre[:, None]])[:, : theta.shape[1]]
