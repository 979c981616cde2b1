"""Newton's method on growing subsets of the examples."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve

from probml.objectives.base import Objective, overflow_is_inf
from probml.objectives.gap import bounded_by_hessian, gap_bound, hessian_gap
from probml.objectives.linear import LinearObjective
from probml.solvers.base import Run, Solution
from probml.solvers.line_search import goes_down
from probml.solvers.newton import Factor, iterate, regular_factor
from probml.typing import Array

STRIDES = (64, 8)  # every 64th example, every 8th
EXAMPLES_PER_PARAMETER = 20  # that make a subset worth while
SLOW = 0.1  # a step that leaves more of the decrement than this shows that the Hessian of the subset is not good enough


def growing_newton(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-10, max_iterations: int = 100
) -> Solution:
    """Newton's method on every 64th example, from there on every 8th, and last, with exact gradients, on all.

    The way to the minimum is the same for a subset as for the whole, and costs less. On all examples k times the
    Hessian of the subset stands for the Hessian: such a step costs no more than a gradient, and leaves about k n / m
    of the gap. Where it leaves too much, the Hessian of all examples takes over. A subset that has no minimum, as a
    separable one has none, is passed over, and so is its minimum where the other examples are far from it.
    The run's bound on the gap is replaced by that of the last subset, which needs no Hessian of all examples.

    Done when half the square of the decrement is below `tolerance` times the mean weight of an example.
    """
    run = Run(objective, start, tolerance, max_iterations)
    begin, hessian = run.theta, None
    for k in STRIDES:
        if objective.n_examples < k * EXAMPLES_PER_PARAMETER * objective.n_parameters:
            continue
        subset = thinned(objective, k)
        run.gap_bound = partial(gap_by_subset, objective, subset)
        solution = iterate(Run(subset, better(subset, run.theta, begin), 1e-4, 12, certified=False))
        objective.cost.add(subset.cost.passes / k, subset.cost.flops)
        if solution.certificate.converged:
            run.theta, hessian = solution.theta, k * subset.hessian_below(solution.theta)
    if hessian is None or (factor := regular_factor(hessian)) is None:
        run.theta = better(objective, run.theta, begin)
        return iterate(run)
    return iterate_with(factor, run, begin)


def thinned(objective: LinearObjective, k: int) -> LinearObjective:
    """F / k, approximately: the same objective on every k-th example."""
    weight = None if objective.weight is None else objective.weight[::k]
    offset = None if objective.offset is None else objective.offset[::k]
    X, y, l2 = objective.X[::k], objective.y[::k], objective.l2 / k
    return LinearObjective(X, y, objective.loss, l2=l2, intercept=objective.intercept, weight=weight, offset=offset)


def gap_by_subset(objective: LinearObjective, subset: LinearObjective, theta: Array) -> float:
    """A bound on F(θ) - min F from ∇F(θ) and the Hessian of a subset, which is below that of all examples.

    Where the Hessian of all examples is known, or the subset gives no bound, it is the objective's bound. Side effect:
    the Hessian of the subset is left at the objective's point as its `hessian_below`, for whoever asks if F is curved.
    """
    point, gap = objective.at(theta), np.inf
    if bounded_by_hessian(objective) and point.gradient is not None and point.second is None:
        gap = hessian_gap(subset, theta, point.gradient)
        point.hessian_below = subset.hessian_below(theta)
    return gap if gap < np.inf else gap_bound(objective, theta)


def better(objective: Objective, theta: Array, begin: Array, value: float | None = None) -> Array:
    """θ, or where it all began, if F is lower there: the minimum of a subset may be far from that of other examples."""
    if theta is begin:
        return theta
    value = objective.value(theta) if value is None else value
    return theta if value <= objective.value(begin) else begin


@overflow_is_inf
def iterate_with(factor: Factor, run: Run, begin: Array) -> Solution:
    """θ ← θ - H^-1 ∇F with one H, given by its Cholesky factor, for as long as that goes fast."""
    objective = run.objective
    value, gradient = objective.value_and_gradient(run.theta)
    if not np.isfinite(value):
        run.theta = begin
        return iterate(run)
    direction = -cho_solve(factor, gradient)
    slope = float(gradient @ direction)
    run.record(value, gradient)
    while not below_share_of_example(run, slope):
        if run.exhausted:
            return run.given_up()
        there = run.theta + direction
        new_value, new_gradient = objective.value_and_gradient(there)
        if not goes_down(new_value, float(new_gradient @ direction), value, slope, unit=objective.unit):
            break
        run.theta, value, direction = there, new_value, -cho_solve(factor, new_gradient)
        run.record(value, new_gradient)
        slope_before, slope = slope, float(new_gradient @ direction)
        if slope < SLOW * slope_before and not below_share_of_example(run, slope):
            break
    else:
        return run.converged("the Newton decrement is below the tolerance")
    run.theta = better(objective, run.theta, begin, value)
    return iterate(run)


def below_share_of_example(run: Run, slope: float) -> bool:
    """Whether -∇F · d / 2 is below the tolerance, whatever F is.

    Newton's method squares its error, and is far below its tolerance when that is met. Here each step leaves a share:
    |F|, which grows with the examples while the standard errors do not, would cost digits of θ.
    """
    return -slope / 2 <= run.tolerance * run.objective.unit
