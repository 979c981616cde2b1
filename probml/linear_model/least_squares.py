"""Least squares by orthogonal factors of the design matrix itself."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dtrtrs

from probml.typing import Array

REFINEMENTS = 3


def least_squares(A: Array, b: Array, Q: Array, R: Array) -> tuple[Array, float]:
    """x that minimises |A x - b|² / 2 for A = Q R, refined, and by how much it can be above the minimum.

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
        h = triangular(R, -(r @ A_exact), transposed=True)
        along: Array = Q.T @ f - h
        step = triangular(R, along)
        x, r = x + step, r + (f - Q @ along)
        if np.abs(step).max(initial=0.0) <= np.finfo(np.float64).eps * np.abs(x).max(initial=0.0):
            break
    rounded = x.astype(np.float64)
    h = triangular(R, (b_exact - A_exact @ rounded) @ A_exact, transposed=True)
    with np.errstate(over="ignore"):
        return rounded, float(h @ h / 2)


def triangular(R: Array, v: NDArray[np.floating], transposed: bool = False) -> Array:
    """R^-1 v, or R^-T v: without the checks of SciPy, which take longer than the solution where R is small."""
    if not len(R):
        return np.zeros(0)
    x, failed = dtrtrs(R.T, v.astype(np.float64), lower=True, trans=not transposed)  # in the order in which R is stored
    if failed:
        raise LinAlgError(f"the triangular factor is singular: its diagonal entry {failed - 1} is 0")
    return np.asarray(x)
