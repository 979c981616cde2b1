"""Least squares by orthogonal factors of the design matrix itself, or, where that costs no digits, of A^T A."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from probml.typing import Array

REFINEMENTS = 3
SMALL_MATRIX = 2**17  # numbers in A, up to which orthogonal factors take no time
WELL_CONDITIONED = 1e3  # up to which refinement of x alone, from A^T A, comes as far as that of x and r
BLOCK = 256  # rows that are held in more digits at a time
NEGLIGIBLE_STEP = 1e-20  # of x: less than the last digit of a long double


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
        h = solve_triangular(R, -(r @ A_exact).astype(np.float64), trans="T")
        along = Q.T @ f - h
        x, r = x + (step := solve_triangular(R, along)), r + (f - Q @ along)
        if np.abs(step).max(initial=0.0) <= np.finfo(np.float64).eps * np.abs(x).max(initial=0.0):
            break
    rounded = x.astype(np.float64)
    h = solve_triangular(R, ((b_exact - A_exact @ rounded) @ A_exact).astype(np.float64), trans="T")
    with np.errstate(over="ignore"):
        return rounded, float(h @ h / 2)


def normal_equations(A: Array, b: Array) -> tuple[Array, float] | None:
    """The same x and bound for a large, tall A that is well conditioned; None for others.

    A^T A = R^T R costs a fraction of orthogonal factors. It squares the condition number κ of A, so that
    x = R^-1 R^-T A^T b has an error of about ρ = κ² ε. That is solved for again, with residuals in more digits, and
    every time a share of about ρ remains:

        r = b - A x,     dx = R^-1 R^-T A^T r

    What rounding x to a double adds to |A x - b|² / 2 is |R (x - rounded x)|² / 2.
    """
    if A.size < SMALL_MATRIX or len(A) < 4 * A.shape[1]:
        return None
    try:
        R = cholesky(A.T @ A)
    except LinAlgError:
        return None
    if np.linalg.cond(R) > WELL_CONDITIONED:
        return None
    inverse = solve_triangular(R, np.eye(len(R)))
    x = (inverse @ (inverse.T @ (b @ A))).astype(np.longdouble)
    before = size = float(np.abs(x).max(initial=0.0))
    for _ in range(1 + REFINEMENTS):
        step = inverse @ (inverse.T @ transposed_residual(A, b, x))
        x, length = x + step, float(np.abs(step).max(initial=0.0))
        if length * length <= NEGLIGIBLE_STEP * size * before:  # the next step would be length² / before
            rounded = x.astype(np.float64)
            change = R @ (x - rounded).astype(np.float64)
            return rounded, float(change @ change / 2)
        before = length
    return None


def transposed_residual(A: Array, b: Array, x: NDArray[np.longdouble]) -> Array:
    """A^T (b - A x), all of it in more digits, a block of rows after the other."""
    total = np.zeros(len(x), dtype=np.longdouble)
    for start in range(0, len(b), BLOCK):
        exact = A[start : start + BLOCK].astype(np.longdouble)
        total += (b[start : start + BLOCK] - exact @ x) @ exact
    return total.astype(np.float64)
