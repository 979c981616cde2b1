"""The same problem in worse coordinates, and which of them standardising cures: units, origins, mixed features."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.studies.races.problems import Problem, seen_through
from course.studies.races.race import SOLVERS, course, minimum, tolerance_for

Array = NDArray[np.float64]
GAP = 1e-6  # of the sum of losses, at which iterations are counted
MAX_ITERATIONS = 20_000
SHIFT = 0.12  # with this factor a shift makes κ about as large as other units do
Spoil = Callable[[Problem, float, np.random.Generator], Problem]


def other_units(problem: Problem, condition: float, rng: np.random.Generator) -> Problem:
    """Each feature in a unit of its own: factors from 1 down to 1 / √condition, in random order."""
    factors = np.geomspace(1.0, 1 / np.sqrt(condition), problem.X.shape[1])
    return replace(problem, X=problem.X * rng.permutation(factors))


def other_origins(problem: Problem, condition: float, rng: np.random.Generator) -> Problem:
    """Each feature measured from another origin, far from its mean, to a random side."""
    far = np.sqrt(SHIFT * (np.sqrt(condition) - 1))
    return replace(problem, X=problem.X + far * rng.choice([-1.0, 1.0], size=problem.X.shape[1]))


SPOILED: Mapping[str, Spoil] = {
    "other units": other_units,
    "other origins": other_origins,
    "mixed features": seen_through,
}


def standardised(problem: Problem) -> Problem:
    """Every feature with mean 0 and standard deviation 1."""
    return replace(problem, X=(problem.X - problem.X.mean(axis=0)) / problem.X.std(axis=0))


def condition(problem: Problem) -> float:
    """κ, the largest eigenvalue of the Hessian at the minimum over the smallest."""
    eigenvalues = np.linalg.eigvalsh(problem.objective().newton_system(minimum(problem).theta)[2])
    return float(eigenvalues[-1] / eigenvalues[0])


def iterations(problem: Problem, name: str, most: int = MAX_ITERATIONS) -> float:
    """Iterations of a solver until the gap is 10⁻⁶; nan if that takes more than `most`."""
    solver = SOLVERS[name]
    run = course(
        problem,
        solver,
        minimum(problem).value,
        tolerance=tolerance_for(solver, 1e-9),
        max_iterations=most,
    )
    reached = run.until(GAP)
    return np.nan if reached is None else float(reached)


@dataclass(frozen=True)
class Cure:
    """One way to spoil coordinates. All arrays have the shape (draws, len(conditions)).

    kappa : of the Hessian at the minimum, before and after standardising. steps : iterations of gradient descent.
    """

    kappa: tuple[Array, Array]
    steps: tuple[Array, Array]


def cures(problem: Problem, conditions: Sequence[float], draws: int, seed: int) -> dict[str, Cure]:
    """Gradient descent in spoiled coordinates, and after standardising these."""
    found = {}
    for name, spoil in SPOILED.items():
        spoiled = [
            [spoil(problem, each, np.random.default_rng([seed, 40, k])) for each in conditions] for k in range(draws)
        ]
        both = [spoiled, [[standardised(each) for each in row] for row in spoiled]]
        kappa = tuple(np.array([[condition(each) for each in row] for row in side]) for side in both)
        steps = tuple(
            np.array([[iterations(each, "gradient descent") for each in row] for row in side]) for side in both
        )
        found[name] = Cure(kappa, steps)
    return found


def iterations_by_solver(
    problem: Problem, conditions: Sequence[float], draws: int, seed: int, solvers: Sequence[str] = tuple(SOLVERS)
) -> dict[str, Array]:
    """Iterations of several solvers with mixed features, shape (draws, len(conditions)) each."""
    mixed = [
        [seen_through(problem, each, np.random.default_rng([seed, 40, k])) for each in conditions] for k in range(draws)
    ]
    return {name: np.array([[iterations(each, name) for each in row] for row in mixed]) for name in solvers}
