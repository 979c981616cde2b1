"""A large random problem for the Gaussian models."""

import numpy as np

from benchmarks.rows.classifiers import Problem


def normal_classes(m: int = 1_000_000, n: int = 50, K: int = 3) -> Problem:
    """K normal distributions that overlap, with correlated features and a covariance of their own each."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, m)
    means = 0.3 * rng.standard_normal((K, n))
    mixing = np.eye(n) + 0.1 * rng.standard_normal((K, n, n))
    X = rng.standard_normal((m, n))
    for j in range(K):
        X[y == j] = X[y == j] @ mixing[j] + means[j]
    return Problem(f"random, {K} classes", X, y, X)
