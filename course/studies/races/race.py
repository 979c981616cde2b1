"""Solvers side by side: what is left to gain, against what it has cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from course.studies.races.problems import Problem
from course.studies.races.watched import quick_coordinate_newton
from probml.solvers import (
    Solution,
    bfgs,
    conjugate_gradient,
    fixed_hessian,
    gradient_descent,
    irls,
    lbfgs,
    newton,
    newton_cg,
    sgd,
)
from probml.threads import one_blas_thread

Array = NDArray[np.float64]
Solver = Callable[..., Solution]

EXACT = 1e-15  # a relative gradient that is no more than rounding
MEMORY = 10


@dataclass(frozen=True)
class Work:
    """Floating-point operations of a solver on its own matrices: before the first iteration, and in each.

    The objective counts products with X; what is done with p × p matrices afterwards is counted here. Work of order p
    or m alone is left out.
    """

    once: float = 0.0
    each: float = 0.0


OWN_WORK: Mapping[Solver, Callable[[int], Work]] = {
    newton: lambda p: Work(each=p**3 / 3 + 2 * p**2),  # a Cholesky factor, two triangular systems
    fixed_hessian: lambda p: Work(once=p**3 / 3, each=2 * p**2),
    bfgs: lambda p: Work(each=12 * p**2),  # G ∇F, G y, and eight entrywise operations of the update
    lbfgs: lambda p: Work(each=8 * MEMORY * p),  # two scalar products and two sums for each remembered step
}

SOLVERS: Mapping[str, Solver] = {
    "Newton": newton,
    "IRLS": irls,
    "Newton-CG": newton_cg,
    "BFGS": bfgs,
    "L-BFGS": partial(lbfgs, memory=MEMORY),
    "conjugate gradient": conjugate_gradient,
    "fixed Hessian": fixed_hessian,
    "coordinate Newton": quick_coordinate_newton,
    "gradient descent": gradient_descent,
}


@dataclass(frozen=True)
class Course:
    """How a solver went. All arrays have the shape (iterations + 1,); gap is F(θ) - min F, never below 0."""

    passes: Array
    flops: Array
    gap: Array
    solution: Solution

    def until(self, gap: float) -> int | None:
        """Iterations until what is left to gain is below `gap`; None if it never is."""
        below = np.flatnonzero(self.gap <= gap)
        return int(below[0]) if below.size else None

    def flops_until(self, gap: float) -> float:
        """Operations until then; inf if never."""
        k = self.until(gap)
        return np.inf if k is None else float(self.flops[k])


class NoMinimumError(ValueError):
    """A minimum was asked for, and none was found."""


def minimum(problem: Problem) -> Solution:
    """The solution by Newton's method, as exactly as floating-point numbers allow; its certificate proves it."""
    with one_blas_thread():
        solution = newton(problem.objective(), tolerance=EXACT**2)
    bound = solution.certificate.gap
    if not bound <= 1e-9:
        raise NoMinimumError(f"the minimum of this problem is not known: its gap is at most {bound}; is it separable?")
    return solution


def tolerance_for(solver: Solver, tolerance: float) -> float:
    """The tolerance, and its square for Newton's method, which looks at the square of a distance."""
    return tolerance**2 if solver is newton else tolerance


def course(problem: Problem, solver: Solver, best: float, **options: object) -> Course:
    """One solver from θ = 0. best : min F.

    SGD looks at F after every pass only to report it. That is no part of its work, and not counted.
    """
    objective = problem.objective()
    with one_blas_thread():  # set once: to set it for each of many small products takes as long as these do
        steps = (solution := solver(objective, **options)).trace
    kind = getattr(solver, "func", solver)
    own = OWN_WORK.get(kind, lambda p: Work())(problem.n_parameters)
    k = np.arange(len(steps))
    reports = k + 1 if kind is sgd else 0 * k
    passes = np.array([step.passes for step in steps]) - reports
    flops = np.array([step.flops for step in steps]) - 4 * problem.X.size * reports + own.once * (k > 0) + own.each * k
    return Course(passes, flops, np.maximum([step.value - best for step in steps], 0.0), solution)


def race(
    problem: Problem, solvers: Mapping[str, Solver], iterations: Mapping[str, int], tolerance: float = 1e-10
) -> dict[str, Course]:
    """All solvers from θ = 0, each until its gradient is below the tolerance, or for its `iterations`, else 1000."""
    best = minimum(problem).value
    return {
        name: course(
            problem,
            solver,
            best,
            tolerance=tolerance_for(solver, tolerance),
            max_iterations=iterations.get(name, 1000),
        )
        for name, solver in solvers.items()
    }
