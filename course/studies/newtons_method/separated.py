"""Solvers that are asked for a minimum that does not exist: the classes can be separated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.races.problems import Problem, separable
from course.studies.races.race import SOLVERS
from probml.solvers import Solution, gradient_descent, largest_curvature, newton

Array = NDArray[np.float64]
EXAMPLES, FEATURES, MARGIN = 60, 2, 0.3


@dataclass(frozen=True)
class Falls:
    """F after each iteration, of Newton's method and of gradient descent with a fixed step."""

    newton: Array
    fixed_step: Array


def two_classes(seed: int) -> Problem:
    """60 examples with two features, without intercept, that a line through 0 separates."""
    return separable(EXAMPLES, FEATURES, MARGIN, np.random.default_rng([seed, 7]))


def falls(problem: Problem, newton_steps: int = 40, gradient_steps: int = 4000) -> Falls:
    """Both solvers for a given number of iterations."""
    step = 1 / largest_curvature(problem.objective())
    runs = (
        newton(problem.objective(), tolerance=1e-30, max_iterations=newton_steps),
        gradient_descent(problem.objective(), step_size=step, tolerance=1e-30, max_iterations=gradient_steps),
    )
    return Falls(*(np.array([each.value for each in run.trace]) for run in runs))


def as_offered(problem: Problem) -> dict[str, Solution]:
    """What every solver of the package returns with its own tolerance; the slowest gets 1000 iterations."""
    limits = {"fixed Hessian": {"max_iterations": 1000}}
    return {name: solver(problem.objective(), **limits.get(name, {})) for name, solver in SOLVERS.items()}
