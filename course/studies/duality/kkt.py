"""The conditions of Karush, Kuhn and Tucker, as numbers that are 0 where they hold."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Residuals(NamedTuple):
    """How far each condition is from being true."""

    stationarity: float
    feasibility: float
    sign: float
    slackness: float

    @property
    def largest(self) -> float:
        """The worst of the four."""
        return max(self)


def residuals(gradient: ArrayLike, constraint: ArrayLike, jacobian: ArrayLike, beta: ArrayLike) -> Residuals:
    """For: minimise f(w) subject to g(w) ≤ 0, at a point w with multipliers β.

        stationarity |∇f + Jᵀ β|      feasibility max(g, 0)      sign max(-β, 0)      slackness |β_j g_j|

    gradient : ∇f(w), shape (n,). constraint : g(w), shape (k,). jacobian : J, shape (k, n). beta : shape (k,).
    """
    gradient, g, J, beta = (np.asarray(each, dtype=np.float64) for each in (gradient, constraint, jacobian, beta))
    if J.shape != (g.size, gradient.size) or beta.shape != g.shape:
        shapes = f"{gradient.shape}, {g.shape}, {J.shape} and {beta.shape}"
        raise ValueError(f"expected the shapes (n,), (k,), (k, n) and (k,), received {shapes}")
    return Residuals(
        float(np.abs(gradient + J.T @ beta).max()),
        float(np.maximum(g, 0).max()),
        float(np.maximum(-beta, 0).max()),
        float(np.abs(beta * g).max()),
    )
