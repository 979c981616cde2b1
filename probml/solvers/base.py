"""The contract of all solvers: an objective in; the solution, its history and a certificate out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import is_number, is_whole
from probml.objectives.base import Objective
from probml.objectives.gap import gap_bound
from probml.typing import Array


@dataclass(frozen=True)
class Step:
    """Where a solver was after an iteration, and what it had cost by then."""

    iteration: int
    passes: float
    flops: float
    seconds: float
    value: float
    gradient_norm: float


@dataclass(frozen=True)
class Certificate:
    """Whether the solver met its tolerance, by how much F(θ) can be above its minimum (inf if unknown), and why."""

    converged: bool
    gap: float
    reason: str


@dataclass(frozen=True)
class Solution:
    """θ, shape (p,), with F(θ); what the solver did on its way; and what is known of the result."""

    theta: Array
    value: float
    trace: tuple[Step, ...]
    certificate: Certificate

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return self.trace[-1].iteration


Solver = Callable[..., Solution]


class Run:
    """One run of a solver: where it starts, its steps, when it is done.

    certified : whether a bound on the gap is looked for in the end; a solver that uses another on its way does without.
    gap_bound : from θ to that bound, `probml.objectives.gap.gap_bound` unless a solver has another.
    """

    def __init__(
        self,
        objective: Objective,
        start: ArrayLike | None,
        tolerance: float,
        max_iterations: int,
        certified: bool = True,
    ) -> None:
        if not (is_number(tolerance) and 0 < tolerance < np.inf):
            raise ValueError(f"tolerance must be a number above 0, received {tolerance!r}")
        if not (is_whole(max_iterations) and max_iterations >= 0):
            raise ValueError(f"max_iterations must be a whole number of at least 0, received {max_iterations!r}")
        self.objective, self.tolerance, self.max_iterations = objective, tolerance, max_iterations
        self.gap_bound: Callable[[Array], float] = partial(gap_bound, objective) if certified else lambda _: np.inf
        self.theta: Array = objective.start() if start is None else np.array(start, dtype=np.float64)
        if self.theta.shape != (objective.n_parameters,):
            raise ValueError(f"start must have the shape ({objective.n_parameters},), received {self.theta.shape}")
        if not np.isfinite(self.theta).all():
            raise ValueError(f"start must be finite, received {self.theta}")
        self.steps: list[Step] = []
        self._begun, self._before = perf_counter(), replace(objective.cost)

    @property
    def exhausted(self) -> bool:
        """Whether no iteration is left."""
        return len(self.steps) > self.max_iterations

    def record(self, value: float, gradient: Array) -> None:
        """A step has led to θ with this value and gradient."""
        if not np.isfinite(value):
            if not self.steps:
                raise ValueError(f"the objective is {value} at the start: use another start, or rescale X")
            raise ValueError(
                f"the objective is {value} after {len(self.steps)} iterations: use a smaller step size, a solver that "
                "searches for one, or rescale X"
            )
        cost, norm = self.objective.cost, float(np.abs(gradient).max(initial=0.0))
        passes, flops = cost.passes - self._before.passes, cost.flops - self._before.flops
        self.steps.append(Step(len(self.steps), passes, flops, perf_counter() - self._begun, float(value), norm))

    def look(self) -> tuple[float, Array]:
        """F(θ) and ∇F(θ) where the run is, which is recorded as a step."""
        value, gradient = self.objective.value_and_gradient(self.theta)
        self.record(value, gradient)
        return value, gradient

    @property
    def first_gradient(self) -> float:
        """What gradients are compared with: the largest entry of the first one, or the unit if that is more."""
        return max(self.objective.unit, self.steps[0].gradient_norm)

    @property
    def goal(self) -> float:
        """What no entry of the gradient may exceed in the end: the tolerance, relative to the first gradient."""
        return self.tolerance * self.first_gradient

    def flat(self) -> bool:
        """Whether the goal is reached."""
        return self.steps[-1].gradient_norm <= self.goal

    def converged(self, reason: str = "the gradient is below the tolerance") -> Solution:
        """The end, as it should be."""
        return self._end(True, reason)

    def stuck(self, reason: str = "no step gains more than rounding loses") -> Solution:
        """The end, where the method has no step."""
        return self._end(False, reason)

    def given_up(self) -> Solution:
        """The end, before the tolerance is met."""
        return self._end(False, f"not converged within {self.max_iterations} iterations")

    def _end(self, converged: bool, reason: str) -> Solution:
        cost = self.objective.cost
        before = cost.passes, cost.flops
        gap = self.gap_bound(self.theta)
        cost.passes, cost.flops = before  # to certify is not to solve
        return Solution(self.theta, self.steps[-1].value, tuple(self.steps), Certificate(converged, gap, reason))
