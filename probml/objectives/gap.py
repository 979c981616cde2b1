"""How far an objective can be from its minimum: what is known from its derivatives at one point."""

from collections.abc import Callable
from math import log1p

import numpy as np
from scipy.linalg import eigh

from probml.typing import Array

Radius = Callable[[float, Array], float]
NEARLY_PARABOLIC = 1e-4


def self_concordant_gap(gradient: Array, hessian: Array, *radii: Radius) -> float:
    """A bound on F(θ) - min F from ∇F and H ≤ ∇²F at θ alone.

    F, or the part of it that H belongs to, has to be self-concordant in this sense: along any direction d the Hessian
    shrinks at most as e^(-r t), with t = |d|_H. Then F(θ + d) ≥ F(θ) - ν t + (e^(-r t) + r t - 1) / r², with
    ν² = ∇F^T H^-1 ∇F, and, minimised over t,

        F(θ) - min F  ≤  (u + (1 - u) log(1 - u)) / r²,   u = r ν < 1;      ν² / 2 for r = 0.

    radii : functions from (λ, h) to an r that holds, where H ≥ λ diag(h) but for directions in which H is flat; the
    smallest r is taken, and where one is as good as 0 none is looked for any more. Directions in which H is flat are
    left out, if the gradient is flat there too; otherwise, or if u ≥ 1, nothing is known: inf.
    """
    if not (np.isfinite(hessian).all() and np.isfinite(gradient).all()):
        return np.inf
    if not len(gradient):
        return 0.0
    # H with a diagonal of ones: only then a small eigenvalue means a direction that is flat, not a small unit
    diagonal = np.diagonal(hessian)
    h = np.where(diagonal > 0, diagonal, 1.0)
    root = np.sqrt(h)
    gradient = gradient / root
    # divide and conquer: the default driver takes five times as long where eigenvalues lie close together
    eigenvalues, vectors = eigh(hessian / root / root[:, None], driver="evd")
    curved = eigenvalues > len(gradient) * np.finfo(np.float64).eps * max(eigenvalues[-1], 0.0)
    along = vectors.T @ gradient
    rounding = 1e-12 * max(1.0, float(np.abs(gradient).max(initial=0.0)))
    if not curved.any() or (np.abs(along[~curved]) > rounding).any():
        return 0.0 if not np.abs(gradient).max(initial=0.0) > 0 else np.inf
    nu = float(np.sqrt(np.sum(along[curved] ** 2 / eigenvalues[curved])))
    u = np.inf
    for radius in radii:
        u = min(u, float(radius(float(eigenvalues[curved][0]), h)) * nu)
        if u < NEARLY_PARABOLIC:
            break
    if not u < 1:
        return np.inf
    # (u + (1 - u) log(1 - u)) / u² = 1/2 + u/6 + ..., which cancels for small u
    return nu**2 * ((u + (1 - u) * log1p(-u)) / u**2 if u > NEARLY_PARABOLIC else 0.5 + u / 6)
