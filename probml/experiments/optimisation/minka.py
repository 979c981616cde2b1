"""Minka's comparison (2003): his solvers, and his way of counting their operations."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from probml.experiments.optimisation.iterative_scaling import iterative_scaling
from probml.experiments.optimisation.newton_on_a_line import bounded, conjugate, newton_on_a_line, quasi_newton
from probml.experiments.optimisation.race import Course, Solver, Work
from probml.solvers import coordinate_newton, newton

EXPONENTIAL = 40  # operations for one exponential, in his count

SOLVERS: Mapping[str, Solver] = {
    "Newton": newton,
    "coordinate Newton": coordinate_newton,
    "conjugate gradient": partial(newton_on_a_line, direction=conjugate),
    "BFGS": partial(newton_on_a_line, direction=quasi_newton),
    "fixed Hessian": partial(newton_on_a_line, direction=bounded),
    "iterative scaling": iterative_scaling,
}


def work(solver: str, m: int, d: int) -> Work:
    """Operations that his programs count, for each iteration and before the first, to leading orders.

    All of X^T diag(v) X counts, not one half of it, its system is solved without use of symmetry, and each exponential
    counts as much as 20 multiplications with additions.
    """
    gradient = 4 * m * d + (EXPONENTIAL + 2) * m
    along = 2 * m * d + 5 * m  # X u and the curvature along u
    square = 2 * m * d**2
    return {
        "Newton": Work(each=gradient + square + m * d + 2 * d**3 / 3),
        "coordinate Newton": Work(once=3 * m * d, each=(EXPONENTIAL + 10) * m * d),
        "conjugate gradient": Work(each=gradient + along),
        "BFGS": Work(each=gradient + along + 10 * d**2),
        "fixed Hessian": Work(once=square + d**3 / 3, each=gradient + along + 2 * d**2),
        "iterative scaling": Work(once=3 * m * d, each=gradient),
    }[solver]


def flops_until(course: Course, solver: str, gap: float, m: int, d: int) -> float:
    """Operations by his count until the gap is reached; inf if it never is."""
    iterations, own = course.until(gap), work(solver, m, d)
    return np.inf if iterations is None else own.once + own.each * iterations
