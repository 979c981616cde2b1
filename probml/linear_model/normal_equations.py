r"""Least squares of a large, tall design by its normal equations, refined until rounding is all that is missing.

With centred columns A = √s (X - c, 1) and b = √s (y - d), the coefficients x of A solve

    (A^T A + l2 I) x = A^T b,     A^T A + l2 I = R^T R

which costs one pass over X, but squares the condition number κ of A: x has an error of about ρ = κ² ε. A second pass
finds what is left of the equations, almost exactly, and that is solved for again:

    g = A^T (b - A x) - l2 x,     dx = R^-1 R^-T g,     F(x + dx) = F(x) - g · dx / 2

A share of about ρ of dx is then missing. dx is small: it holds what rounding x to some thirty bits has taken away. For
such an x products can be exact in doubles. A number v is split into its leading bits and the rest,

    u = (v + C) - C,     v = u + (v - u),     with C = 3/2 · 2^(52 - e): u is a multiple of 2^-e,

and a sum of products of leading bits, short enough together, is not rounded at all, in whatever order it is added up.
What has to do with the rest is smaller by as many bits, and so are its errors.
"""

from dataclasses import dataclass
from functools import partial
from math import ceil, log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve
from scipy.linalg.lapack import dpocon, dpotrf

from probml.linear_model.design import magnitudes
from probml.threads import on_all_cores
from probml.typing import Array

Number: TypeAlias = np.longdouble  # with more digits than a double, on most machines
Exact: TypeAlias = NDArray[Number]
SMALL_DESIGN = 2**17  # numbers in X, up to which orthogonal factors take no time
GRAM_BLOCK_NUMBERS = 2**16  # of X, handled at a time: half a megabyte, that stays in the cache
PARTS = 8  # of the rows: sums over each of them are added up in order, the same bits with any number of cores
SAMPLE = 1000  # rows from which the means are guessed
WELL_CONDITIONED = 1e-7  # least reciprocal condition of A^T A: one over the square of that of A
SMALLEST_SQUARES = 1e-250  # below which a sum of squares has lost digits
SIGNIFICAND = 53  # bits of a double
LEADING = 18  # bits of X in its leading part
WIDEST_COLUMN = 2.0**17  # root mean squares in its largest number, times κ, up to which that part says enough
NEGLIGIBLE = 2.0**-58  # of x: far less than rounding it to a double


class LeastSquares(NamedTuple):
    """θ = (w, b) or w, shape (p,); F(θ), and by how much that can be above the minimum."""

    theta: Array
    value: float
    gap: float


@dataclass(frozen=True)
class TallDesign:
    """X, shape (m, n), y and weights s, shape (m,), and centre (c, d), shape (n + 1,), near the means, or 0."""

    X: Array
    y: Array
    weight: Array | None
    intercept: bool
    centre: Array

    def blocks(self) -> list[list[slice]]:
        """The rows, block by block, in some parts: few enough for their sums to be small beside X."""
        m, n = self.X.shape
        size = max(n, GRAM_BLOCK_NUMBERS // n)
        blocks = [slice(start, min(start + size, m)) for start in range(0, m, size)]
        share = ceil(len(blocks) / min(PARTS, max(1, m // (16 * n))))
        return [blocks[start : start + share] for start in range(0, len(blocks), share)]

    def empty_block(self, part: list[slice], columns: int) -> Array:
        """An array for a block, in the order of X."""
        return np.empty((part[0].stop - part[0].start, columns), order="C" if self.X.flags.c_contiguous else "F")

    def moments(self, part: list[slice]) -> tuple[Array, Array]:
        """(A, b)^T (A, b), shape (p + 1, p + 1), of some blocks, and the largest |x_ij - c_j|, shape (n,)."""
        n, block = self.X.shape[1], self.empty_block(part, len(self.centre) + self.intercept)
        total, largest = np.zeros((block.shape[1], block.shape[1])), np.zeros(n)
        with np.errstate(all="ignore"):
            for rows in part:
                A = block[: rows.stop - rows.start]
                np.subtract(self.X[rows], self.centre[:n], out=A[:, :n])
                np.subtract(self.y[rows], self.centre[n], out=A[:, -1])
                A[:, n:-1] = 1.0
                largest = np.maximum(largest, magnitudes(A[:, :n]))
                if self.weight is not None:
                    A *= np.sqrt(self.weight[rows])[:, None]
                total += A.T @ A
        return total, largest

    def residual_moments(
        self, part: list[slice], w: Array, b: float, c: Array, C: Array
    ) -> tuple[Exact, Number, Number]:
        """(X - c)^T s r, 1^T s r and r^T s r of some blocks, with r = y - (X - c) w - b.

        C gives the leading bits of X, and c has no others; w has no bits but leading ones.
        """
        n = self.X.shape[1]
        upper, lower = self.empty_block(part, n), self.empty_block(part, n)
        bits = bits_beside_leading(len(upper))
        gradient = np.zeros(n, dtype=np.longdouble)
        slope = squares = np.longdouble(0.0)
        for rows in part:
            X = self.X[rows]
            U, L = upper[: len(X)], lower[: len(X)]
            np.add(X, C, out=U)
            np.subtract(U, C, out=U)
            np.subtract(X, U, out=L)
            np.subtract(U, c, out=U)
            r = self.y[rows].astype(np.longdouble) - b - U @ w - L @ w
            s = r if self.weight is None else r * self.weight[rows]
            rounded = s.astype(np.float64)
            u = leading(rounded, bits)
            gradient += u @ U
            gradient += (s - u).astype(np.float64) @ U + rounded @ L
            slope += s.sum(dtype=np.longdouble)
            squares += np.longdouble(r @ s)
        return gradient, slope, squares


def splitting_constant(top: Array | int, bits: int) -> Array:
    """C of a number below 2^top whose leading part has these bits."""
    return np.asarray(np.ldexp(1.5, SIGNIFICAND - 1 - bits + np.asarray(top)))


def leading(v: Array, bits: int) -> Array:
    """The leading parts of numbers, with these bits in the largest of them."""
    C = splitting_constant(int(np.frexp(np.abs(v).max(initial=0.0))[1]), bits)
    return np.asarray((v + C) - C)


def bits_beside_leading(terms: int) -> int:
    """Bits of factors whose products with the leading part of X - c add up without rounding."""
    return SIGNIFICAND - (LEADING + 1) - ceil(log2(terms))


class Factor(NamedTuple):
    """M = D R^T R D with R triangular, shape (p, p), D diagonal, shape (p,), and the reciprocal condition of R^T R."""

    R: Array
    D: Array
    condition: float

    @classmethod
    def of(cls, M: Array) -> "Factor":
        """Cholesky's, of M with a diagonal of ones. A singular M has the reciprocal condition 0."""
        D = np.sqrt(M.diagonal())
        unit = M / D / D[:, None]
        R, failed = dpotrf(unit)
        return cls(R, D, 0.0 if failed else float(dpocon(R, np.abs(unit).sum(axis=0).max())[0]))

    def solve(self, v: Array) -> Array:
        """M^-1 v."""
        return np.asarray(cho_solve((self.R, False), v / self.D) / self.D)

    def square(self, v: Array) -> float:
        """v · M v."""
        half = self.R @ (self.D * v)
        return float(half @ half)


def normal_equations(X: Array, y: Array, weight: Array | None, l2: float, intercept: bool) -> LeastSquares | None:
    """θ that minimises sum_i s_i (x_i · w + b - y_i)² / 2 + l2 |w|² / 2; None for a design that is not made for it."""
    m, n = X.shape
    p = n + intercept
    if X.size < SMALL_DESIGN or m < 4 * p:
        return None
    sample = slice(None, None, max(1, m // SAMPLE))
    with np.errstate(all="ignore"):
        centre = np.append(X[sample].mean(axis=0), y[sample].mean()) if intercept else np.zeros(n + 1)
    design = TallDesign(X, y, weight, intercept, centre)
    sums = on_all_cores(design.moments, blocks := design.blocks())
    moment = np.sum([each for each, _ in sums], axis=0)
    if not (np.isfinite(moment).all() and (moment.diagonal()[:n] > SMALLEST_SQUARES).all()):
        return None
    largest = np.max([each for _, each in sums], axis=0) + np.abs(centre[:n])
    top = np.frexp(largest)[1]
    C = splitting_constant(top, LEADING)
    c = (centre[:n] + C) - C
    if intercept:  # from X - centre to X - c, with the column of ones
        move = np.eye(len(moment))
        move[n, :n] = centre[:n] - c
        moment = move.T @ moment @ move
    moment[np.diag_indices(n)] += l2
    factor = Factor.of(moment[:p, :p])
    width = (largest / factor.D[:n]).max() * np.sqrt(m if weight is None else weight.sum())
    if factor.condition < WELL_CONDITIONED or width > WIDEST_COLUMN * np.sqrt(factor.condition):
        return None

    x = factor.solve(moment[:p, -1])
    w = np.ldexp(leading(np.ldexp(x[:n], top), bits_beside_leading(n)), -top)
    b = float(centre[n] + x[n:].sum())
    rest = on_all_cores(partial(design.residual_moments, w=w, b=b, c=c, C=C), blocks)
    gradient, slope, squares = (sum(each) for each in zip(*rest, strict=True))
    g = np.append(gradient - l2 * w.astype(np.longdouble), slope)[:p].astype(np.float64)
    dx = factor.solve(g)
    missing = np.finfo(np.float64).eps / factor.condition * np.abs(dx * factor.D).max()
    if not missing <= NEGLIGIBLE * np.abs(x * factor.D).max():
        return None
    full = np.append(w, b).astype(np.longdouble)[:p] + dx
    full[n:] -= c @ full[:n]  # the intercept of X, which is not centred
    theta = full.astype(np.float64)
    change = full - theta
    change[n:] += c @ change[:n]
    value = max(squares + l2 * w @ w - g @ dx, 0.0) / 2
    return LeastSquares(theta, float(value), factor.square(change.astype(np.float64)) / 2)
