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
        return np.asarray(np.maximum(X.max(axis=0), -X.min(axis=0)))
    return dense(abs(X).max(axis=0)).ravel()


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
    scale, l2 = scale_of(magnitudes(X), l2)
    return (X if (scale == 1).all() else divided(X, scale)), scale, l2


def scale_of(largest: Array, l2: float) -> tuple[Array, float]:
    """c and the penalty, as above, for columns of these magnitudes, shape (n,)."""
    if l2 > 0:
        largest = np.full_like(largest, largest.max(initial=0.0))
    exponent = np.frexp(largest)[1]
    exponent[(largest == 0) | (np.abs(exponent) <= ORDINARY)] = 1
    if (exponent == 1).all():
        return np.ones(len(largest)), l2
    scale = np.ldexp(1.0, exponent - 1)  # 2 to the power of 1024 would be infinite
    if l2 > 0:
        with np.errstate(over="ignore", under="ignore"):
            scaled_l2 = float(l2 / scale[0] / scale[0])
        if not 0 < scaled_l2 < np.inf:
            raise ValueError(f"values of X of up to {largest[0]:g} do not go together with l2={l2:g}: rescale X")
        l2 = scaled_l2
    return scale, l2


def with_ordinary_penalty(X: Matrix, scale: Array, l2: float) -> tuple[Matrix, Array, float]:
    """X / c, scale · c and l2 / c², for one power of two c: a penalty beyond 2^40 is then from 1 to 4.

    It would hide the curvature along the intercept, which has no penalty, behind that along w.
    """
    c = unit_of_penalty(l2)
    return (X, scale, l2) if c == 1 else (divided(X, np.full(len(scale), c)), scale * c, l2 / c / c)


def unit_of_penalty(l2: float) -> float:
    """c, as above; 1 for an ordinary penalty."""
    exponent = int(np.frexp(l2)[1]) - 1
    return float(np.ldexp(1.0, exponent // 2)) if exponent > 2 * ORDINARY else 1.0


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

    def shortest(self, theta: Array, scale: Array) -> Array:
        """θ with the same predictors and the shortest w: what a penalty leaves as l2 goes to 0.

        The rows of θ, shape (V, n) or (V, n + 1), are v = w · scale, for the columns of X, and b, if there is one.
        """
        n, found = len(scale), theta.copy()
        null, centre = self.null / scale[:, None], self.centre * scale
        for row in found:
            w = row[:n] / scale
            shorter = w - null @ lstsq(null, w)[0]
            row[:n] = shorter * scale
            row[n:] += float(centre @ (w - shorter))
        return found


def rank_of(X: Matrix, intercept: bool) -> Rank:
    """Rank by a pivoted QR factorisation of the centred columns, each relative to its own length.

    The intercept is centred away, and not counted as a column to leave out. A column is a combination of others if
    what is left of it is rounding: max(m, n) ε of its length.
    """
    X = dense(X)
    centre = X.mean(axis=0) if intercept else np.zeros(X.shape[1])
    return rank_of_centred(X - centre, centre, np.linalg.norm(X, axis=0), len(X), intercept)


def rank_of_centred(centred: Array, centre: Array, norms: Array, m: int, intercept: bool) -> Rank:
    """The same from the centred columns, or the triangular factor of them, where `norms` are those of m rows of X."""
    n = len(centre)
    lengths = np.where(norms > 0, norms, 1.0)
    R, pivots = qr(centred / lengths, mode="r", pivoting=True)
    rank = int(np.sum(np.abs(np.diagonal(R)) > max(m, n) * np.finfo(np.float64).eps))
    kept, rest = pivots[:rank], pivots[rank:]
    null = np.zeros((n, n - rank))
    null[kept] = -solve_triangular(R[:rank, :rank], R[:rank, rank:])
    null[rest, np.arange(n - rank)] = 1.0
    return Rank(rank + intercept, n + intercept, np.sort(kept), null / lengths[:, None], centre)


@dataclass(frozen=True)
class BetterColumns:
    """X w + b = Z v + c with columns Z of the same space, shape (m, n), centred if there is an intercept.

    X - 1 centre^T = Z R, with R triangular: v = R w, c = b + centre · w. Without R, it is the identity.
    """

    Z: Array
    R: Array | None
    centre: Array

    @classmethod
    def centred(cls, X: Array) -> "BetterColumns":
        """With an intercept: w stays what it is, and so does a penalty on it."""
        centre = X.mean(axis=0)
        return cls(X - centre, None, centre)

    @classmethod
    def orthogonal(cls, X: Matrix, intercept: bool) -> "BetterColumns":
        """Orthogonal columns, with a mean square of 1, from independent ones.

        Solvers for v, c do not notice that columns of X are nearly combinations of each other, or have a mean that is
        large beside their standard deviation.
        """
        X = dense(X)
        centre = X.mean(axis=0) if intercept else np.zeros(X.shape[1])
        Q, R = qr(X - centre, mode="economic")
        size = np.sqrt(len(X))
        return cls(Q * size, R / size, centre)

    def to(self, theta: Array) -> Array:
        """(v, c) for (w, b), or v for w, in the rows of θ."""
        n = len(self.centre)
        w = theta[:, :n]
        v = w if self.R is None else w @ self.R.T
        return np.column_stack([v, theta[:, n:] + w @ self.centre[:, None]])[:, : theta.shape[1]]

    def back(self, theta: Array) -> Array:
        """(w, b) for (v, c), or w for v, in the rows of θ."""
        n = len(self.centre)
        v = theta[:, :n]
        w = v if self.R is None else solve_triangular(self.R, v.T).T
        return np.column_stack([w, theta[:, n:] - w @ self.centre[:, None]])[:, : theta.shape[1]]
