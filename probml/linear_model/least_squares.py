"""Least squares by orthogonal factors of the design matrix itself: its condition number is not squared."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular, svd

Array = NDArray[np.float64]
REFINEMENTS = 3


class Factors(NamedTuple):
    """A = Q R with orthonormal columns Q, shape (m, p); R^-1 v and R^-T v as functions; size : about |R^-1|^-1."""

    Q: Array
    solve: Callable[[Array], Array]
    solve_transposed: Callable[[Array], Array]
    size: float


def factors(A: Array, method: Literal["qr", "svd"]) -> Factors:
    """A = Q R, with R triangular (qr), or A = U (S V^T) (svd)."""
    if method == "qr":
        Q, R = qr(A, mode="economic")
        smallest = float(np.abs(np.diagonal(R)).min(initial=1.0)) if len(R) == A.shape[1] else 0.0
        return Factors(Q, lambda v: solve_triangular(R, v), lambda v: solve_triangular(R, v, trans="T"), smallest)
    U, s, Vt = svd(A, full_matrices=False)
    smallest = float(s.min(initial=1.0)) if len(s) == A.shape[1] else 0.0
    return Factors(U, lambda v: Vt.T @ (v / s), lambda v: (Vt @ v) / s, smallest)


def least_squares(A: Array, b: Array, F: Factors) -> tuple[Array, float]:
    """x that minimises |A x - b|² / 2, refined, and by how much it can be above the minimum.

    Residual r and solution x solve r + A x = b, A^T r = 0. What they leave of both equations, in more digits, is
    solved for again with the same factors (Björck 1967), which also corrects errors that grow with the residual:

        f = b - r - A x,  g = -A^T r:     h = R^-T g,   dx = R^-1 (Q^T f - h),   dr = f - Q (Q^T f - h)

    Where the long double of numpy has no more digits than the double, x is as good as without refinement.
    """
    exact = np.longdouble
    A_exact, b_exact = A.astype(exact), b.astype(exact)
    x, r = np.zeros(A.shape[1], dtype=exact), np.zeros(len(b), dtype=exact)
    for _ in range(1 + REFINEMENTS):
        f = (b_exact - r - A_exact @ x).astype(np.float64)
        h = F.solve_transposed(-(r @ A_exact).astype(np.float64))
        along = F.Q.T @ f - h
        x, r = x + (step := F.solve(along)), r + (f - F.Q @ along)
        if np.abs(step).max(initial=0.0) <= np.finfo(np.float64).eps * np.abs(x).max(initial=0.0):
            break
    x = x.astype(np.float64)
    h = F.solve_transposed(((b_exact - A_exact @ x) @ A_exact).astype(np.float64))
    with np.errstate(over="ignore"):
        return x, float(h @ h / 2)
