"""What one iteration costs, as the data grow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.experiments.optimisation.problems import gaussian
from probml.experiments.optimisation.race import Solver, course

Array = NDArray[np.float64]
ITERATIONS = 4


def flops_per_iteration(solver: Solver, sizes: Sequence[tuple[int, int]], seed: int) -> Array:
    """Operations in the mean iteration, for each (m, d): shape (len(sizes),).

    The first is left out: it may also pay for what is done once.
    """
    costs = []
    for m, d in sizes:
        problem = gaussian(m, d, np.random.default_rng([seed, m, d]))
        flops = course(problem, solver, 0.0, max_iterations=ITERATIONS).flops
        costs.append((flops[-1] - flops[1]) / (len(flops) - 2))
    return np.array(costs)


def flops_per_update(sizes: Sequence[tuple[int, int]]) -> Array:
    """Operations of SGD for one update from one example, for each (m, d): shape (len(sizes),)."""
    costs = []
    for m, d in sizes:
        objective = gaussian(m, d, np.random.default_rng(0)).objective()
        objective.gradient_of(np.array([0]), objective.start())
        costs.append(objective.cost.flops)
    return np.array(costs)


def local_exponents(x: ArrayLike, cost: ArrayLike) -> Array:
    """The slope between neighbouring points on doubly logarithmic axes, shape (len(x) - 1,)."""
    return np.diff(np.log(cost)) / np.diff(np.log(x))
