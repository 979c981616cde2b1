"""How far an objective can be from its minimum: every bound on F(θ) - min F.

A solver ends with `gap_bound`, the bound of its certificate. It takes the cheaper of two:

    dual_gap      the difference from a point of the dual problem; needs a convex F and a penalty
    hessian_gap   what gradient and Hessian at θ allow; needs a Hessian that cannot shrink fast
"""

from collections.abc import Iterable
from math import log1p

import numpy as np
from scipy.linalg import eigh

from probml.objectives.base import Objective, Radius, overflow_is_inf
from probml.typing import Array

SMALL_HESSIAN = 100  # parameters up to which it costs no more to form than a few passes
NEGLIGIBLE_GAP = 1e-7  # of F
LARGEST_TO_BOUND_GAP = 3000  # parameters above which no Hessian is formed to bound the gap
NEARLY_PARABOLIC = 1e-4


def gap_bound(objective: Objective, theta: Array) -> float:
    """A number that F(θ) - min F does not exceed; inf where none is found.

    From a Hessian that is known already; else from the dual, which costs a pass or two, if that shows that the gap is
    negligible; else from the Hessian, unless it is large; else from the dual.
    """
    if not bounded_by_hessian(objective):
        return dual_gap(objective, theta)
    if objective.n_parameters > SMALL_HESSIAN and not objective.knows_hessian(theta):
        by_dual = dual_gap(objective, theta)
        if by_dual <= NEGLIGIBLE_GAP * max(objective.unit, abs(objective.value(theta))):
            return by_dual
    gap = hessian_gap(objective, theta)
    return gap if gap < np.inf else dual_gap(objective, theta)


def bounded_by_hessian(objective: Objective) -> bool:
    """Whether near a minimum `hessian_gap` is always found, and is near the gap."""
    return objective.self_concordant and objective.n_parameters <= LARGEST_TO_BOUND_GAP


@overflow_is_inf
def dual_gap(objective: Objective, theta: Array) -> float:
    """F(w, b) - F(w, b') + |∇_w F(w, b')|² / (2 l2), with b' the best intercepts for w; inf where not found.

    With b' the slopes of the losses add up to zero, and are a point of the dual problem, from which F differs by the
    last term: no solution has a lower objective than the dual at any point.
    """
    if not (objective.l2 and objective.convex):
        return np.inf
    value, best = objective.value(theta), theta.copy()
    if objective.intercept:
        best.reshape(objective.n_vectors, -1)[:, -1] += objective.best_shift(theta)
    best_value, gradient = objective.value_and_gradient(best)
    gap = value - best_value + objective.squared_norm(gradient) / (2 * objective.l2)
    return max(gap, 0.0) if np.isfinite(gap) else np.inf


@overflow_is_inf
def hessian_gap(objective: Objective, theta: Array, gradient: Array | None = None) -> float:
    """`self_concordant_gap` with the Hessian of an objective at θ, and its gradient there.

    gradient : of another objective with a larger Hessian, whose gap is bounded then.
    """
    own, hessian, radii = objective.second_order(theta)
    return self_concordant_gap(own if gradient is None else gradient, hessian, radii)


def self_concordant_gap(gradient: Array, hessian: Array, radii: Iterable[Radius]) -> float:
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
