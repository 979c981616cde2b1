"""First-order methods in parts that can be exchanged: the rule for the direction, and the search along it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve

from probml.objectives import LinearObjective
from probml.solvers import Solution
from probml.solvers.base import Run
from probml.solvers.line_search import wolfe

Array = NDArray[np.float64]
Direction = Callable[[Array, Array, Array], Array]  # from the last step, the last and the new gradient


def newton_on_a_line(
    objective: LinearObjective,
    start: ArrayLike | None = None,
    *,
    direction: Callable[[LinearObjective], Direction],
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
) -> Solution:
    """θ ← θ + t u with t = -∇F · u / u^T H u, the minimum of the parabola along u. H u is not needed, only X u.

    A gradient and a product X u: 6 m d operations in an iteration (Minka 2003). Nothing makes sure that F goes down.
    """
    run, rule = Run(objective, start, tolerance, max_iterations), direction(objective)
    u, gradient_before = np.zeros_like(run.theta), np.zeros_like(run.theta)
    while True:
        value, gradient = objective.value_and_gradient(run.theta)
        run.record(value, gradient)
        if run.flat():
            return run.converged()
        if run.exhausted:
            return run.given_up()
        u = rule(u, gradient_before, gradient)
        if not (bend := curvature_along(objective, run.theta, u)) > 0:
            return run.stuck()
        u, gradient_before = -float(gradient @ u) / bend * u, gradient
        run.theta = run.theta + u


def wolfe_on_a_line(
    objective: LinearObjective,
    start: ArrayLike | None = None,
    *,
    direction: Callable[[LinearObjective], Direction],
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
) -> Solution:
    """θ ← θ + t u with t by trial, until Wolfe's conditions hold: the line search of the package's `bfgs`.

    The first trial is t = 1, except before the first iteration, where the step that is tried has length 1.
    """
    run, rule = Run(objective, start, tolerance, max_iterations), direction(objective)
    value, gradient = run.look()
    u, gradient_before = np.zeros_like(run.theta), np.zeros_like(run.theta)
    while not run.flat():
        if run.exhausted:
            return run.given_up()
        u = rule(u, gradient_before, gradient)
        if len(run.steps) == 1:
            u = u / np.linalg.norm(u)
        found = wolfe(objective, run.theta, value, gradient, u)
        if found is None:
            return run.stuck()
        gradient_before = gradient
        step, run.theta, value, gradient = found
        u = step * u
        run.record(value, gradient)
    return run.converged()


def curvature_along(objective: LinearObjective, theta: Array, u: Array) -> float:
    """u^T H u = sum_i l''_i (x_i · u)² + l2 |u|², of an objective without intercept and weights.

    The predictors x · θ are those of the gradient just taken, so that only X u is counted.
    """
    objective.cost.add(0.5, 2 * objective.X.size)
    change = objective.X @ u
    return float(objective.loss.curvature(objective.y, objective.X @ theta) @ change**2 + objective.l2 * (u @ u))


def conjugate(objective: LinearObjective) -> Direction:
    """u ← -∇F + β u, with β = ∇F · y / u · y and y the change of the gradient (Hestenes and Stiefel)."""

    def rule(step: Array, before: Array, gradient: Array) -> Array:
        y = gradient - before
        bent = float(step @ y)
        u = -gradient + float(gradient @ y) / bent * step if bent > 0 else -gradient
        return u if gradient @ u < 0 else -gradient  # begin anew where nothing is conjugate, as in one dimension

    return rule


def polak_ribiere(objective: LinearObjective) -> Direction:
    """u ← -∇F + β u, with β = max(0, ∇F · y / |∇F'|²), where ∇F' is the gradient before: the rule of the package.

    Unlike that of Hestenes and Stiefel, this β goes with the direction before, not with the step: it is remembered.
    """
    last = np.zeros(objective.n_parameters)

    def rule(step: Array, before: Array, gradient: Array) -> Array:
        nonlocal last
        beta = max(0.0, float(gradient @ (gradient - before)) / float(before @ before)) if before.any() else 0.0
        u = -gradient + beta * last
        last = u if gradient @ u < 0 else -gradient
        return last

    return rule


def quasi_newton(objective: LinearObjective, *, scaled: bool = False) -> Direction:
    """u = -G ∇F with the matrix G of BFGS, from G = I. Its products and its update are counted: 12 p² operations.

    scaled : before the first update G becomes (s^T y / y^T y) I, the inverse curvature along the first step.
    """
    p, first = objective.n_parameters, scaled
    G = np.eye(p)

    def rule(step: Array, before: Array, gradient: Array) -> Array:
        nonlocal G, first
        objective.cost.add(0, 12 * p**2)
        y = gradient - before
        if (sy := float(step @ y)) > 0:
            if first:
                G, first = np.eye(p) * (sy / float(y @ y)), False
            Gy = G @ y
            G = G + (1 + y @ Gy / sy) / sy * np.outer(step, step) - (np.outer(step, Gy) + np.outer(Gy, step)) / sy
        return -G @ gradient

    return rule


def bounded(objective: LinearObjective) -> Direction:
    """u = -B^-1 ∇F with B above all Hessians. Its factor and the triangular systems are counted."""
    p = objective.n_parameters
    factor = cho_factor(objective.hessian_bound())
    objective.cost.add(0, p**3 / 3)

    def rule(step: Array, before: Array, gradient: Array) -> Array:
        objective.cost.add(0, 2 * p**2)
        return -cho_solve(factor, gradient)

    return rule
