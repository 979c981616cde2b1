"""An objective that remembers where it was asked, so that the path of a solver can be drawn."""

import numpy as np
from numpy.typing import NDArray

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
        self.updates: list[Array] = []  # where single examples were asked for: the path of SGD, update by update

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

    def gradient_of(self, rows: NDArray[np.intp], theta: Array) -> Array:
        """The estimate of ∇F(θ) from some rows."""
        self.updates.append(theta.copy())
        return super().gradient_of(rows, theta)

    def path(self, solution: Solution) -> Array:
        """θ after each iteration, the start first: shape (iterations + 1, p). One solver, one objective."""
        try:
            return np.array([self._asked[step.passes] for step in solution.trace])
        except KeyError:
            raise ValueError("the solution is not of this objective, or another solver used it before") from None
