"""The multinomial estimate as a constrained problem and its dual.

minimise  f(p) = -sum_k N_k log p_k   subject to   sum_k p_k = 1,  p_k ≥ 0
L(p, α) = f(p) + α (sum_k p_k - 1)
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy


def primal(p: ArrayLike, counts: ArrayLike) -> float:
    """f(p) = -sum_k N_k log p_k, with 0 log 0 = 0."""
    return float(-xlogy(_counts(counts), np.asarray(p, dtype=np.float64)).sum())


def dual(alpha: float, counts: ArrayLike) -> float:
    """θ_D(α) = min over p ≥ 0 of L = N log α - α + N - sum_k N_k log N_k, taken at p_k = N_k / α; -∞ for α ≤ 0."""
    N = _counts(counts)
    if alpha <= 0:
        return -np.inf
    total = N.sum()
    return float(total * np.log(alpha) - alpha + total - xlogy(N, N).sum())


def divergence(q: ArrayLike, p: ArrayLike) -> float:
    """KL(q ‖ p) = sum_k q_k log q_k / p_k, with 0 log 0 = 0."""
    q, p = np.asarray(q, dtype=np.float64), np.asarray(p, dtype=np.float64)
    return float((xlogy(q, q) - xlogy(q, p)).sum())


def _counts(counts: ArrayLike) -> np.ndarray:
    N = np.asarray(counts, dtype=np.float64)
    if N.ndim != 1 or (N < 0).any() or N.sum() == 0:
        raise ValueError(f"needs counts of at least 0 that are not all 0, received {N.tolist()}")
    return N
