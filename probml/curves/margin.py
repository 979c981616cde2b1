"""Hyperplanes that separate the classes, of many subsets at once: by least squares, and that of the largest margin."""

import numpy as np

from probml.curves.logistic_newton import CERTAIN
from probml.typing import Array, Mask

LEAST_SQUARES_RIDGE = 1e-12  # share of the trace that keeps their equations regular
COMPLEMENTARY = 1e-14  # mean of λ u at the end: where both are 0, θ is as far off as the root of this
RESIDUAL = 1e-6  # of the equations: rounding grows as λ u goes to 0
MARGIN_RIDGE = 1e-16  # the same for the equations of the margin
MARGIN_STEPS = 100
BOUNDARY_SHARE = 0.995  # of the way to the boundary, that a step goes
GAIN = 0.9  # share of the mean of λ u that a corrected step may leave


def least_squares(G: Array) -> tuple[Array, Mask]:
    """θ, shape (b, d), with margins G θ near 1, and where all of them are above 0. G : shape (b, c, d)."""
    b, c, d = G.shape
    GT, ones = G.transpose(0, 2, 1), np.ones((b, c, 1))
    M = G @ GT if c <= d else GT @ G
    i = np.arange(M.shape[1])
    M[:, i, i] += LEAST_SQUARES_RIDGE * np.trace(M, axis1=1, axis2=2)[:, None]
    found = GT @ np.linalg.solve(M, ones) if c <= d else np.linalg.solve(M, GT @ ones)
    theta = np.asarray(found, dtype=np.float64)
    t = (G @ theta)[:, :, 0]
    right: Mask = t > CERTAIN * np.maximum(1, t.max(axis=1, keepdims=True))
    return theta[:, :, 0], np.asarray(right.all(axis=1))


def largest_margin(G: Array, penalty: Array) -> Array:
    """The θ, shape (b, p), that minimise 1/2 sum_j penalty_j θ_j² subject to G θ ≥ 1.

    G : shape (b, c, p), of constraints that some θ meets. With 1 / s_j² as the penalty of the coordinates of the row
    space and 0 as that of the intercept, this is the direction in which maximum likelihood goes to infinity (Soudry et
    al. 2018; Ji and Telgarsky 2019). Mehrotra's method, of interior points: slacks u = G θ - 1 and multipliers λ are
    positive, and λ u goes to 0 along a path of predictions and corrections.
    """
    b, c, p = G.shape
    result = np.empty((b, p))
    own, theta = np.arange(b), np.zeros((b, p))
    u, lam = np.ones((b, c)), np.ones((b, c))
    for _ in range(MARGIN_STEPS):
        GT = G.transpose(0, 2, 1)
        dual = penalty * theta - _times(GT, lam)
        primal = _times(G, theta) - 1 - u
        mu = (lam * u).mean(axis=1)
        scale = 1 + np.abs(lam).max(axis=1)
        size = np.maximum(np.abs(dual).max(axis=1), np.abs(primal).max(axis=1))
        feasible = size <= RESIDUAL * scale
        done = (mu <= COMPLEMENTARY * scale) & feasible
        if done.any():
            result[own[done]] = theta[done]
            if done.all():
                return result
            keep = ~done
            own, theta, u, lam, G, penalty = own[keep], theta[keep], u[keep], lam[keep], G[keep], penalty[keep]
            GT, dual, primal, mu, feasible = GT[keep], dual[keep], primal[keep], mu[keep], feasible[keep]
        root = np.sqrt(lam / u)[:, :, None] * G
        M = root.transpose(0, 2, 1) @ root
        M[:, np.arange(p), np.arange(p)] += penalty + MARGIN_RIDGE * np.trace(M, axis1=1, axis2=2)[:, None]

        def step(target: Array) -> tuple[Array, Array, Array]:
            """Newton step to G θ - u = 1, penalty θ = G^T λ, λ u = target."""
            r = (target - lam * u - lam * primal) / u  # noqa: B023  called in this turn only
            d = np.linalg.solve(M, (_times(GT, r) - dual)[:, :, None])[:, :, 0]  # noqa: B023
            d_theta = np.asarray(d, dtype=np.float64)
            d_u = _times(G, d_theta) + primal  # noqa: B023
            return d_theta, d_u, (target - lam * u - lam * d_u) / u  # noqa: B023

        _, d_u, d_lam = step(np.zeros_like(u))
        a = np.minimum(_reach(u, d_u), _reach(lam, d_lam))[:, None]
        ahead = ((lam + a * d_lam) * (u + a * d_u)).mean(axis=1)
        centring = (mu * (ahead / mu) ** 3)[:, None]
        d_theta, d_u, d_lam = step(centring - d_lam * d_u)
        a = BOUNDARY_SHARE * np.minimum(_reach(u, d_u), _reach(lam, d_lam))[:, None]
        ahead = ((lam + a * d_lam) * (u + a * d_u)).mean(axis=1)
        if (idle := feasible & (ahead > GAIN * mu)).any():  # corrections go round in circles: half the way
            half = step(np.broadcast_to(mu[:, None] / 2, u.shape))
            d_theta[idle], d_u[idle], d_lam[idle] = (each[idle] for each in half)
            a[idle] = BOUNDARY_SHARE * np.minimum(_reach(u, d_u), _reach(lam, d_lam))[idle, None]
        theta, u, lam = theta + a * d_theta, u + a * d_u, lam + a * d_lam
    raise RuntimeError(f"{len(own)} largest margins are not found after {MARGIN_STEPS} steps: scale the features")


def _times(M: Array, x: Array) -> Array:
    return (M @ x[:, :, None])[:, :, 0]


def _reach(x: Array, d: Array) -> Array:
    """The largest step of at most 1 that keeps x + step d ≥ 0, shape (b,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        step: Array = np.minimum(1.0, np.where(d < 0, -x / d, np.inf).min(axis=1))
    return step
