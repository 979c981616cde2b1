"""How fast errors vanish: orders of convergence and exponents of power laws, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.studies.races.problems import Problem
from course.studies.races.race import EXACT, Solver, minimum, tolerance_for

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """A fitted slope with an interval of 95 %."""

    slope: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.slope:.2f} [{self.low:.2f}, {self.high:.2f}]"


def errors(problem: Problem, solver: Solver, iterations: int = 1000) -> Array:
    """|θ_k - θ*| / |θ*| after each iteration k, shape (iterations + 1,)."""
    best = minimum(problem).theta
    objective = problem.objective()
    solution = solver(objective, tolerance=tolerance_for(solver, EXACT), max_iterations=iterations)
    path = objective.path(solution)
    return np.linalg.norm(path - best, axis=1) / np.linalg.norm(best)


def pairs(each: Sequence[Array], smallest: float, largest: float) -> list[tuple[Array, Array]]:
    """(e_k, e_(k+1)) of each run, where smallest ≤ e_(k+1) and e_k ≤ largest: past the start, before rounding."""
    return [(e[:-1][keep], e[1:][keep]) for e in each if (keep := (e[1:] >= smallest) & (e[:-1] <= largest)).any()]


def order(each: Sequence[Array], rng: np.random.Generator, *, smallest: float = 1e-12, largest: float = 1e-1) -> Fit:
    """q in e_(k+1) ≈ C e_k^q, by least squares on the logarithms of all pairs of all runs.

    The interval is from runs drawn again with replacement: pairs of one run are not independent.
    """
    found = pairs(each, smallest, largest)
    if len(found) < 2:
        raise ValueError(f"an order needs pairs of errors between {smallest} and {largest} from two runs or more")
    return _resampled([(np.log(before), np.log(after)) for before, after in found], rng)


def exponent(x: ArrayLike, curves: ArrayLike, rng: np.random.Generator) -> Fit:
    """a in y ≈ C x^a, from curves y, shape (runs, points), at the points x; the interval as in `order`."""
    x, curves = np.asarray(x, dtype=np.float64), np.atleast_2d(np.asarray(curves, dtype=np.float64))
    if not ((x > 0).all() and (curves > 0).all()):
        raise ValueError(f"a power law needs numbers above 0; the smallest are {x.min()} and {curves.min()}")
    return _resampled([(np.log(x), np.log(row)) for row in curves], rng)


def _resampled(runs: list[tuple[Array, Array]], rng: np.random.Generator, draws: int = 1000) -> Fit:
    """The slope, and the middle 95 % of the slopes of runs drawn with replacement."""
    # sums of each run: the slope of any collection of runs follows from their total
    sums = np.array([[len(x), x.sum(), y.sum(), x @ x, x @ y] for x, y in runs])
    drawn = sums[rng.integers(len(runs), size=(draws, len(runs)))].sum(axis=1)
    low, high = np.quantile(_slope(drawn.T), [0.025, 0.975])
    return Fit(float(_slope(sums.sum(axis=0))), float(low), float(high))


def _slope(sums: Array) -> Array:
    n, x, y, xx, xy = sums
    return (n * xy - x * y) / (n * xx - x**2)
