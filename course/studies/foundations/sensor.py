"""A sensor that is right with probability θ: the joint and the conditional likelihood of one parameter."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

Array = NDArray[np.float64]


def cell_probabilities(theta: float, prior: float) -> Array:
    """p(x, y | θ), shape (2, 2), x by row: p(y = 1) = prior, and x = y with probability θ whatever y is."""
    p_y = np.array([1 - prior, prior])
    return np.array([[theta, 1 - theta], [1 - theta, theta]]) * p_y


def joint_estimate(counts: Array) -> Array:
    """argmax of sum_xy N_xy log p(x, y | θ): the share of right readings. counts : (..., 2, 2). Shape (...)."""
    counts = np.asarray(counts, dtype=np.float64)
    return (counts[..., 0, 0] + counts[..., 1, 1]) / counts.sum(axis=(-2, -1))


def conditional_log_likelihood(theta: float, counts: Array, prior: float) -> float:
    """sum_xy N_xy log p(y | x, θ), for counts of shape (2, 2)."""
    p = cell_probabilities(theta, prior)
    return float((counts * (np.log(p) - np.log(p.sum(axis=1, keepdims=True)))).sum())


def conditional_estimate(counts: Array, prior: float) -> float:
    """argmax over θ of the conditional log likelihood. counts : shape (2, 2).

    log odds of y = 1 are logit(prior) ± logit(θ), + for x = 1: a logistic regression with one weight, so that the
    maximum is the only one. It is inside (0, 1) if some readings are right and some are wrong.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if min(np.trace(counts), np.trace(counts[::-1])) <= 0:
        raise ValueError(f"needs right and wrong readings, lest θ be 0 or 1; received {counts.tolist()}")
    found = minimize_scalar(
        lambda theta: -conditional_log_likelihood(theta, counts, prior),
        bounds=(1e-9, 1 - 1e-9),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(found.x)


def information(theta: float, prior: float) -> tuple[float, float]:
    """Fisher's information of one example on θ in the joint and in the conditional likelihood.

    The joint one is 1 / θ(1 - θ), that of a coin. The conditional one is less by the information in x alone,
    p'² / p(1 - p) with p = p(x = 1) = 1 - prior + (2 prior - 1) θ.
    """
    p = 1 - prior + (2 * prior - 1) * theta
    joint = 1 / (theta * (1 - theta))
    return joint, joint - (2 * prior - 1) ** 2 / (p * (1 - p))
