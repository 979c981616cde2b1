"""How fast fitted weights and errors come to their limits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.same_limit_or_not import limit
from course.studies.same_limit_or_not.fits import fitted
from course.studies.same_limit_or_not.normals import TwoNormals

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Approach:
    """By model: squared distance of the weights from their limit, and excess error, each of shape (sizes, runs)."""

    sizes: Array
    squared_distance: dict[str, Array]
    excess: dict[str, Array]

    def exponents(self, model: str, least: int) -> tuple[float, float]:
        """Slopes of log distance (root mean square) and log mean excess error against log m, from m = least on."""
        late = self.sizes >= least
        curves = np.sqrt(self.squared_distance[model].mean(axis=1)), self.excess[model].mean(axis=1)
        of_distance, of_excess = (
            float(np.polyfit(np.log(self.sizes[late]), np.log(each[late]), 1)[0]) for each in curves
        )
        return of_distance, of_excess


def approach(problem: TwoNormals, sizes: Sequence[int], runs: int, seed: int) -> Approach:
    """For naive Bayes and logistic regression on independent features, which have one limit."""
    w, b = limit.discriminant(problem, naive=True)
    best = problem.error(w, b)
    distance: dict[str, Array] = {}
    excess: dict[str, Array] = {}
    for model in ("naive Bayes", "logistic regression"):
        fits = [fitted(model, *problem.draw(m, np.random.default_rng([seed, m]), runs)) for m in sizes]
        distance[model] = np.array([((found - w) ** 2).sum(axis=1) + (at - b) ** 2 for found, at in fits])
        excess[model] = np.array([problem.error(found, at) - best for found, at in fits])
    return Approach(np.array(sizes), distance, excess)
