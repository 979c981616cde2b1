"""Minka's comparison (2003): his solvers, and his way of counting their operations."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

from course.studies.minka_redone.iterative_scaling import iterative_scaling
from course.studies.minka_redone.newton_on_a_line import bounded, conjugate, newton_on_a_line, quasi_newton
from course.studies.races.problems import Problem
from course.studies.races.race import Course, NoMinimumError, Solver, Work, minimum
from course.studies.races.watched import quick_coordinate_newton
from probml.solvers import newton

Array = NDArray[np.float64]
EXPONENTIAL = 40  # operations for one exponential, in his count

SOLVERS: Mapping[str, Solver] = {
    "Newton": newton,
    "coordinate Newton": quick_coordinate_newton,
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


def flops(course: Course, solver: str, m: int, d: int) -> Array:
    """Operations by his count after each iteration, shape (iterations + 1,)."""
    own, k = work(solver, m, d), np.arange(len(course.gap))
    return own.once * (k > 0) + own.each * k


def flops_until(course: Course, solver: str, gap: float, m: int, d: int) -> float:
    """Operations by his count until the gap is reached; inf if it never is."""
    iterations = course.until(gap)
    return np.inf if iterations is None else float(flops(course, solver, m, d)[iterations])


def with_a_minimum(draw: Callable[[np.random.Generator], Problem], sets: int, seed: int) -> tuple[list[Problem], int]:
    """The first problems drawn that have a minimum, as no separable one has, and how many were drawn for them."""
    found: list[Problem] = []
    tried = 0
    while len(found) < sets:
        problem = draw(np.random.default_rng([seed, tried]))
        with suppress(NoMinimumError):
            minimum(problem)
            found.append(problem)
        tried += 1
    return found, tried


def ranking(costs: Mapping[str, ArrayLike], level: float = 0.05) -> str:
    """The solvers from the cheapest to the most expensive, by their median cost over the same problems.

    Neighbours are joined by ≈ where chance alone may tell them apart, by a sign test; costs that are equal, as where
    both are infinite, count as half a win.
    """
    each = {name: np.asarray(values, dtype=np.float64) for name, values in costs.items()}
    names = sorted(each, key=lambda name: np.median(each[name]))
    text = names[0]
    for before, after in pairwise(names):
        wins = np.sum(each[before] < each[after]) + np.sum(each[before] == each[after]) // 2
        clear = binomtest(int(wins), len(each[before])).pvalue < level
        text += f" {'<' if clear else '≈'} {after}"
    return text
