"""Least squares of many parts at once: where the classes are easily separated, a hyperplane that does it."""

import numpy as np

from probml.curves.newton import CERTAIN
from probml.typing import Array, Mask

RIDGE = 1e-12  # share of the trace that keeps the equations regular


def least_squares(G: Array) -> tuple[Array, Mask]:
    """θ, shape (b, d), with margins G θ near 1, and where all of them are above 0. G : shape (b, c, d)."""
    b, c, d = G.shape
    GT, ones = G.transpose(0, 2, 1), np.ones((b, c, 1))
    M = G @ GT if c <= d else GT @ G
    i = np.arange(M.shape[1])
    M[:, i, i] += RIDGE * np.trace(M, axis1=1, axis2=2)[:, None]
    found = GT @ np.linalg.solve(M, ones) if c <= d else np.linalg.solve(M, GT @ ones)
    theta = np.asarray(found, dtype=np.float64)
    t = (G @ theta)[:, :, 0]
    right: Mask = t > CERTAIN * np.maximum(1, t.max(axis=1, keepdims=True))
    return theta[:, :, 0], np.asarray(right.all(axis=1))
