"""Stochastic gradient descent over many orders of the examples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probml.experiments.optimisation.problems import Problem
from probml.experiments.optimisation.race import EXACT, minimum
from probml.solvers import sgd

Array = NDArray[np.float64]


def gaps_reshuffled(problem: Problem, seeds: int, passes: int, **options: object) -> Array:
    """F(θ) - min F after each pass, shape (seeds, passes + 1): every pass takes all examples in a new order."""
    best = minimum(problem).value
    runs = [
        sgd(problem.objective(), seed=seed, tolerance=EXACT, max_iterations=passes, **options) for seed in range(seeds)
    ]
    return np.array([[step.value - best for step in run.trace] for run in runs])


def gaps_with_replacement(
    problem: Problem, seeds: int, after: Sequence[int], *, step_size: float, decay: float
) -> Array:
    """F(θ) - min F after some numbers of passes, shape (seeds, len(after)): every update draws any of the examples.

    One pass over `passes` · m examples drawn with replacement is the same as so many draws from the m. The step after
    k examples is step_size / (1 + decay k / m).
    """
    m, passes, gaps = len(problem.y), max(after), []
    best, original = minimum(problem).value, problem.objective()
    for seed in range(seeds):
        rows = np.random.default_rng([seed, passes]).integers(m, size=passes * m)
        stream = Problem(problem.X[rows], problem.y[rows], problem.l2, problem.intercept).objective()
        # the decay of one long pass is that of many short ones
        last = sgd(stream, step_size=step_size, schedule="decaying", decay=decay * passes, seed=seed, max_iterations=1)
        path = [*stream.updates, last.theta]
        gaps.append([original.value(path[k * m]) - best for k in after])
    return np.array(gaps)
