"""How far a linear objective can be from its minimum: from the Hessian, or from the dual problem."""

from typing import TYPE_CHECKING

import numpy as np

from probml.objectives.base import overflow_is_inf
from probml.objectives.gap import self_concordant_gap
from probml.typing import Array

if TYPE_CHECKING:
    from probml.objectives.linear import LinearObjective

SHIFTS = 50  # iterations to find the best intercept
BALANCED = 1e-11  # slopes add up to zero, but for rounding
LARGEST_HESSIAN = 3000  # parameters above which no Hessian is formed to bound the gap


def gap_bound(objective: "LinearObjective", theta: Array) -> float:
    """From gradient and Hessian, or, where that is too large or says nothing, from the dual."""
    gap = hessian_gap(objective, theta) if is_from_hessian(objective) else np.inf
    return gap if gap < np.inf else dual_gap(objective, theta)


def is_from_hessian(objective: "LinearObjective") -> bool:
    """Whether the bound is looked for by the Hessian first."""
    return bool(objective.n_parameters <= LARGEST_HESSIAN and np.isfinite(objective.loss.self_concordance))


@overflow_is_inf
def hessian_gap(objective: "LinearObjective", theta: Array, gradient: Array | None = None) -> float:
    """`self_concordant_gap` with the Hessian at θ, and with the gradient there.

    gradient : None is that of this objective; or that of one with a larger Hessian, whose gap is bounded then.

    Along d the Hessian of example i shrinks at most as e^(-M |x_i · d|), with M the self-concordance, and
    |x_i · d| ≤ |x_i|_(H^-1) |d|_H, where |x_i|²_(H^-1) is at most 1 / (s_i l''_i), and at most sum_j x_ij² / (λ h_j)
    for H ≥ λ diag(h).
    """
    known = objective.second_order(theta)
    M, curvatures = objective.loss.self_concordance, known.curvatures
    return self_concordant_gap(
        known.gradient if gradient is None else gradient,
        known.hessian,
        lambda *_: M / np.sqrt(curvatures.min(initial=np.inf)),
        lambda smallest, h: M * _largest_norm(objective, curvatures, smallest, h),
    )


@overflow_is_inf
def dual_gap(objective: "LinearObjective", theta: Array) -> float:
    """F(w, b) - F(w, b') + |∇_w F(w, b')|² / (2 l2), with b' the best intercept for w; inf where it is not found.

    With b' the slopes s l' add up to zero, and are a point of the dual problem, from which F differs by the last
    term: no solution has a lower objective than the dual at any point.
    """
    if not (objective.l2 and objective.loss.convex):
        return np.inf
    value = objective.value(theta)
    best = theta.copy()
    if objective.intercept:
        best[-1] += _best_shift(objective, objective.linear_predictor(objective.X, slice(None), theta))
    best_value, gradient = objective.value_and_gradient(best)
    w = gradient[: objective.n_features]
    gap = float(value - best_value + w @ w / (2 * objective.l2))
    return max(gap, 0.0) if np.isfinite(gap) else np.inf


def _best_shift(objective: "LinearObjective", z: Array) -> float:
    """c that minimises sum_i s_i l(y_i, z_i + c); nan where it is not found.

    Newton's method with steps of log(1 + M |δ|) / M instead of δ: none overshoots, as l'' grows at most as e^(M c).
    Without such an M steps are those of Newton's method, which may fail.
    """
    loss, y, rows = objective.loss, objective.y, slice(None)
    M, shift = loss.self_concordance, 0.0
    M = M if np.isfinite(M) else 0.0
    for _ in range(SHIFTS):
        slope = objective.weighted(loss.gradient(y, z + shift), rows)
        if abs(slope.sum()) <= BALANCED * np.abs(slope).sum():
            return shift
        step = -slope.sum() / objective.weighted(loss.curvature(y, z + shift), rows).sum()
        shift += np.sign(step) * np.log1p(M * abs(step)) / M if M else step
    return np.nan


def _largest_norm(objective: "LinearObjective", curvatures: Array, smallest: float, h: Array) -> float:
    """A bound on |x_i|_(H^-1) for all examples, with H ≥ smallest · diag(h)."""
    n = objective.n_features
    largest, bias = 0.0, 1 / h[-1] if objective.intercept else 0.0
    for rows, X in objective.blocks():
        squares = (X * X if isinstance(X, np.ndarray) else X.multiply(X)) @ (1 / h[:n]) + bias
        with np.errstate(divide="ignore"):
            largest = max(largest, float(np.minimum(1 / curvatures[rows], squares / smallest).max()))
    return float(np.sqrt(largest))
