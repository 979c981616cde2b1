"""What one iteration costs, as the data grow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.studies.races.problems import gaussian
from course.studies.races.race import Solver, course

Array = NDArray[np.float64]
ITERATIONS = 4


def flops_per_iteration(solver: Solver, sizes: Sequence[tuple[int, int]], seed: int) -> Array:
    """Operations in the mean iteration, for each (m, d): shape (len(sizes),).

    The first is left out: it may also pay for what is done once.
    """
    costs = []
    for m, d in sizes:
        problem = gaussian(m, d, np.random.default_rng([seed, m, d]))
        flops = course(problem, solver, 0.0, max_iterations=ITERATIONS).flops
        costs.append((flops[-1] - flops[1]) / (len(flops) - 2))
    return np.array(costs)


def local_exponents(x: ArrayLike, cost: ArrayLike) -> Array:
    """The slope between neighbouring points on doubly logarithmic axes, shape (len(x) - 1,)."""
    return np.diff(np.log(cost)) / np.diff(np.log(x))


def fitted_terms(sizes: Sequence[tuple[int, int]], cost: ArrayLike) -> dict[str, float]:
    """Coefficients of m d², d³, m d and d² in the cost, by least squares of relative errors; rounding left out."""
    m, d = np.array(sizes, dtype=np.float64).T
    terms = {"m d²": m * d**2, "d³": d**3, "m d": m * d, "d²": d**2}
    design = np.column_stack(list(terms.values())) / np.asarray(cost)[:, None]
    scale = np.linalg.norm(design, axis=0)
    coefficients, *_ = np.linalg.lstsq(design / scale, np.ones(len(m)))
    fitted = dict(zip(terms, coefficients / scale, strict=True))
    return {term: float(value) for term, value in fitted.items() if abs(value) > 1e-6}
