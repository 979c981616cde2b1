"""An objective that remembers where it was asked, so that the path of a solver can be drawn."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.races.rounds import logistic_round
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import Solution

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

    def round_of_coordinates(self, theta: Array) -> Array:
        """θ after a Newton step in each coordinate: for a dense X and the logistic loss by a quicker program."""
        special = self.weight is not None or self.offset is not None or sparse.issparse(self.X)
        if special or not isinstance(self.loss, Logistic):
            return super().round_of_coordinates(theta)
        self.cost.add(2, 11 * self.X.size)  # as that of the slower one
        return logistic_round(theta, *self._coordinates)

    @cached_property
    def _coordinates(self) -> tuple[Array, Array, Array]:
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
