"""Gaussian naive Bayes fitted to examples that are never drawn: only their sufficient statistics are."""

import numpy as np
from numpy.typing import NDArray

from course.studies.sample_complexity.problems import Shifted, even

Array = NDArray[np.float64]


def fitted_weights(problem: Shifted, m: int, runs: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Weights, shape (runs, n), and intercepts, shape (runs,), of naive Bayes with a variance that the classes share.

    The m / 2 examples of a class have the means side · shift + common · ū + ē_j, with ū and ē_j of variance 2 / m.
    The squared deviations of feature j from the class means add up to

        |common · u - u's mean + e_j - e_j's mean|² = (common √S + z_j)² + Q_j

    with S = |u - its means|² ~ χ²(m - 2) the same for all features, z_j ~ Normal(0, 1) the part of e_j along u, and
    Q_j ~ χ²(m - 3) that of the other directions. So a fit to any number of examples costs n draws.
    """
    if even(m) < 4:
        raise ValueError(f"a shared variance needs m of at least 4, received {m}")
    shape = (runs, 2, problem.n)
    u, e = rng.standard_normal((runs, 2, 1)), rng.standard_normal(shape)
    side = np.array([-1.0, 1.0])[:, None]
    mean = side * problem.shift + np.sqrt(2 / m) * (problem.common * u + e)
    S = rng.chisquare(m - 2, size=(runs, 1))
    z = rng.standard_normal((runs, problem.n))
    Q = rng.chisquare(m - 3, size=(runs, problem.n))
    variance = ((problem.common * np.sqrt(S) + z) ** 2 + Q) / m
    w = (mean[:, 1] - mean[:, 0]) / variance
    return w, -(w * mean.mean(axis=1)).sum(axis=1)


def errors(problem: Shifted, m: int, runs: int, rng: np.random.Generator) -> Array:
    """Exact errors of naive Bayes fitted to `runs` sets of m examples, shape (runs,)."""
    return problem.error(*fitted_weights(problem, m, runs, rng))
