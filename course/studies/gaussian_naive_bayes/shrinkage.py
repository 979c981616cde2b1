"""Variances between those of each class and the pooled one."""

import numpy as np
from numpy.typing import NDArray

from course.studies.gaussian_naive_bayes.people import People

Array = NDArray[np.float64]


def mean_log_loss(people: People, size: int, shrinkages: Array, draws: int, seed: int | list[int]) -> Array:
    """Mean log loss, in nats, on all people but the `size` fitted, over random draws. Shape (len(shrinkages),).

    Half of the people fitted are children, the prior is one half. A shrinkage t takes (1 - t) of a class's own
    variance and t of the pooled one.
    """
    rng = np.random.default_rng(seed)
    total = np.zeros(len(shrinkages))
    for _ in range(draws):
        own = np.concatenate([rng.permutation(np.flatnonzero(people.adult == j))[: size // 2] for j in (0, 1)])
        others = np.setdiff1d(np.arange(len(people.adult)), own)
        mean, variance = (
            np.array([summary(people.X[own][people.adult[own] == j], axis=0) for j in (0, 1)])
            for summary in (np.mean, np.var)
        )
        squares = (people.X[others, None] - mean) ** 2  # (people, classes, features)
        for k, t in enumerate(shrinkages):
            mixed = (1 - t) * variance + t * variance.mean(axis=0)
            score = -(np.log(mixed) + squares / mixed).sum(axis=2) / 2
            log_posterior = score - np.logaddexp.reduce(score, axis=1, keepdims=True)
            total[k] -= log_posterior[np.arange(len(others)), people.adult[others]].mean()
    return total / draws
