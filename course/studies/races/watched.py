"""An objective that remembers where it was asked, so that the path of a solver can be drawn."""

from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.races.rounds import logistic_round
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import Solution, coordinate_newton
from probml.solvers.coordinate_newton import newton_round

Array = NDArray[np.float64]


class WatchedObjective(LinearObjective):
    """A `LinearObjective` with a memory.

    Solvers record a step right after they have asked for the value there, so the passes counted in a step tell which of
    the points asked for it is: trial points of a line search are left out.
    """

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self._asked: dict[float, Array] = {}

    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ)."""
        answer = super().value_and_gradient(theta)
        self._asked[self.cost.passes] = theta.copy()
        return answer

    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ)."""
        answer = super().newton_system(theta)
        self._asked[self.cost.passes] = theta.copy()
        return answer

    @cached_property
    def coordinates(self) -> tuple[Array, Array, Array]:
        """Arguments of `logistic_round`, the intercept last."""
        penalty = np.full(self.n_parameters, self.l2)
        penalty[self.n_features :] = 0.0
        columns = np.column_stack([self.X, np.ones((self.n_examples, self.n_parameters - self.n_features))]).T
        return np.ascontiguousarray(columns * (2 * self.y - 1)), np.ascontiguousarray(columns**2), penalty

    def path(self, solution: Solution) -> Array:
        """θ after each iteration, the start first: shape (iterations + 1, p). One solver, one objective."""
        try:
            return np.array([self._asked[step.passes] for step in solution.trace])
        except KeyError:
            raise ValueError("the solution is not of this objective, or another solver used it before") from None


def quick_round(objective: LinearObjective, theta: Array) -> Array:
    """θ after a Newton step in each coordinate: for a dense X and the logistic loss by a quicker program."""
    special = objective.weight is not None or objective.offset is not None or sparse.issparse(objective.X)
    if special or not (isinstance(objective, WatchedObjective) and isinstance(objective.loss, Logistic)):
        return newton_round(objective, theta)
    objective.cost.add(2, 11 * objective.X.size)  # as that of the slower one
    return logistic_round(theta, *objective.coordinates)


quick_coordinate_newton = partial(coordinate_newton, one_round=quick_round)
