"""Stochastic gradient descent: a step after every few examples."""

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import is_number, is_whole
from probml.objectives.base import Objective
from probml.solvers.base import Run, Solution


def sgd(
    objective: Objective,
    start: ArrayLike | None = None,
    *,
    step_size: float,
    decay: float = 0.0,
    batch: int = 1,
    average: bool = False,
    seed: int | np.random.Generator | None = 0,
    tolerance: float = 1e-8,
    max_iterations: int = 100,
) -> Solution:
    """θ ← θ - t_k g_k, with g_k the mean gradient of `batch` examples, and 1 / m of that of the penalty.

    An iteration is a pass over all examples in a new random order; one iteration is learning online.
    decay : t_k = step_size / (1 + decay k / m) after k examples of m; 0 is a constant step.
    average : the solution is the mean of all θ of the last half of the passes (Polyak, Ruppert), which takes the noise
        out of a step that does not decay.
    """
    if not (is_number(step_size) and 0 < step_size < np.inf):
        raise ValueError(f"step_size must be a number above 0, received {step_size!r}")
    if not (is_whole(batch) and 1 <= batch):
        raise ValueError(f"batch must be a whole number of at least 1, received {batch!r}")
    if not (is_number(decay) and 0 <= decay < np.inf):
        raise ValueError(f"decay must be a number of at least 0, received {decay!r}")
    run = Run(objective, start, tolerance, max_iterations)
    rng, m = np.random.default_rng(seed), objective.n_examples
    theta, total, averaged = run.theta, np.zeros_like(run.theta), 0
    while True:
        run.look()
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        done = (len(run.steps) - 1) * m
        order = rng.permutation(m)
        for first in range(0, m, batch):
            rows = order[first : first + batch]
            step = step_size / (1 + decay * (done + first) / m)
            theta = theta - step / m * objective.gradient_of(rows, theta)
            if average and len(run.steps) > max_iterations / 2:
                total, averaged = total + theta, averaged + 1
        run.theta = total / averaged if averaged else theta
