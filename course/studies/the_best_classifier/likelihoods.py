"""A test that is right with probability θ: the joint and the conditional likelihood of one parameter.

counts : N_xy, how many examples have the result x (by row) and the class y (by column), shape (..., 2, 2)
prior : p(y = 1), which is known
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def cell_probabilities(theta: float, prior: float) -> Array:
    """p(x, y | θ), shape (2, 2), x by row: p(y = 1) = prior, and x = y with probability θ whatever y is."""
    p_y = np.array([1 - prior, prior])
    return np.array([[theta, 1 - theta], [1 - theta, theta]]) * p_y


def log_likelihoods(theta: float, counts: ArrayLike, prior: float) -> tuple[float, float]:
    """sum N_xy log p(x, y | θ) and sum N_xy log p(y | x, θ), for counts of shape (2, 2)."""
    p = cell_probabilities(theta, prior)
    return float((counts * np.log(p)).sum()), float((counts * np.log(p / p.sum(axis=1, keepdims=True))).sum())


def joint_estimate(counts: ArrayLike) -> Array:
    """argmax of the joint likelihood: the proportion of right results. Shape (...)."""
    counts = np.asarray(counts, dtype=np.float64)
    return (counts[..., 0, 0] + counts[..., 1, 1]) / counts.sum(axis=(-2, -1))


def conditional_estimate(counts: ArrayLike, prior: float) -> Array:
    """argmax of the conditional likelihood. Shape (...).

    With t = θ / (1 - θ) and a = prior / (1 - prior), the odds of y = 1 are a t for x = 1 and a / t for x = 0. The
    derivative of the log likelihood with respect to log t is the number of right results less its expectation given
    the results, N_1 a t / (1 + a t) + N_0 t / (a + t). It falls with t, and is zero at the positive root of a
    quadratic.
    """
    counts = np.asarray(counts, dtype=np.float64)
    right = counts[..., 0, 0] + counts[..., 1, 1]
    negative, positive = counts[..., 0, :].sum(axis=-1), counts[..., 1, :].sum(axis=-1)
    wrong = positive + negative - right
    if (np.minimum(right, wrong) <= 0).any():
        raise ValueError(f"needs right and wrong results, lest θ be 0 or 1; received {counts.tolist()}")
    a = prior / (1 - prior)
    half = (right * (1 + a**2) - positive * a**2 - negative) / 2
    t = (half + np.sqrt(half**2 + a**2 * right * wrong)) / (a * wrong)
    return t / (1 + t)


def simulate(theta: float, prior: float, m: int, samples: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Joint and conditional estimates from so many samples of m examples each."""
    counts = rng.multinomial(m, cell_probabilities(theta, prior).ravel(), size=samples).reshape(samples, 2, 2)
    return joint_estimate(counts), conditional_estimate(counts, prior)
