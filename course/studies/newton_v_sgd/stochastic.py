"""Stochastic gradient descent over many orders of the examples: all of them at once."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from course.studies.newton_v_sgd.problems import Problem
from course.studies.newton_v_sgd.race import minimum
from probml.losses import Logistic

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


def gaps_reshuffled(
    problem: Problem,
    seeds: int,
    passes: int,
    *,
    step_size: float,
    schedule: Literal["constant", "decaying"] = "constant",
    decay: float = 1.0,
    batch: int = 1,
) -> Array:
    """F(θ) - min F after each pass, shape (seeds, passes + 1): every pass takes all examples in a new order.

    It is what `probml.solvers.sgd` does with these seeds. batch : examples for each update, of which m is a multiple.
    """
    m = len(problem.y)
    if m % batch:
        raise ValueError(f"{m} examples cannot be taken {batch} at a time: give a batch that divides them")
    orders = np.stack([[rng.permutation(m) for _ in range(passes)] for rng in map(np.random.default_rng, range(seeds))])
    rows = orders.reshape(seeds, passes * m // batch, batch)
    steps = _steps(step_size, decay if schedule == "decaying" else 0.0, rows, m)
    return _gaps(problem, rows, steps, [k * m // batch for k in range(passes + 1)])


def gaps_with_replacement(
    problem: Problem, seeds: int, after: Sequence[int], *, step_size: float, decay: float
) -> Array:
    """F(θ) - min F after some numbers of passes, shape (seeds, len(after)): every update draws any of the examples.

    The step after k examples is step_size / (1 + decay k / m).
    """
    m, passes = len(problem.y), max(after)
    rows = []
    for seed in range(seeds):
        stream = np.random.default_rng([seed, passes]).integers(m, size=passes * m)
        rows.append(stream[np.random.default_rng(seed).permutation(passes * m)][:, None])
    rows = np.stack(rows)
    return _gaps(problem, rows, _steps(step_size, decay, rows, m), [k * m for k in after])


def _steps(step_size: float, decay: float, rows: Rows, m: int) -> Array:
    """The length of each update, shape (updates,)."""
    return step_size / (1 + decay * np.arange(rows.shape[1]) * rows.shape[2] / m)


def _gaps(problem: Problem, rows: Rows, steps: Array, after: Sequence[int]) -> Array:
    """F(θ) - min F after some numbers of updates θ ← θ - t g, shape (seeds, len(after)), from θ = 0.

    rows : the examples of each update, shape (seeds, updates, batch). g is their mean gradient, and 1 / m of that of
    the penalty.
    """
    m, loss = len(problem.y), Logistic()
    A = np.column_stack([problem.X, np.ones((m, problem.n_parameters - problem.X.shape[1]))])
    penalty = np.full(A.shape[1], problem.l2)
    penalty[problem.X.shape[1] :] = 0.0
    theta, values, wanted = np.zeros((len(rows), A.shape[1])), {}, set(after)
    for k in range(max(after) + 1):
        if k in wanted:
            value = loss.value(problem.y, theta @ A.T).sum(axis=1)
            values[k] = value + theta**2 @ penalty / 2
            if not np.isfinite(values[k]).all():
                raise ValueError(f"the objective is not finite after {k} updates: use a smaller step size")
        if k < max(after):
            some = rows[:, k]
            X = A[some]
            slope = loss.gradient(problem.y[some], np.einsum("sbp,sp->sb", X, theta))
            gradient = np.einsum("sb,sbp->sp", slope, X) / some.shape[1] + penalty * theta / m
            theta = theta - steps[k] * gradient
    return np.stack([values[k] for k in after], axis=1) - minimum(problem).value
