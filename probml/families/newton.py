"""Newton's method for one increasing or decreasing function of one variable, on many problems at once."""

from collections.abc import Callable

import numpy as np

from probml.families.base import Array

ITERATIONS = 200


def root(function: Callable[[Array], tuple[Array, Array]], low: Array, high: Array) -> Array:
    """u with f(u) = 0, elementwise, for f with f(low) > 0 > f(high). `function` gives f and f'.

    A step that would leave the bracket, or one where f' does not fall, is replaced by its bisection. It ends when no
    step moves u by more than rounding.
    """
    low, high = np.array(low), np.array(high)
    u = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        value, slope = function(u)
        low, high = np.where(value > 0, u, low), np.where(value > 0, high, u)
        step = np.divide(value, slope, out=np.full_like(u, np.inf), where=slope < 0)
        inside = (u - step >= low) & (u - step <= high)
        following = np.where(inside, u - step, 0.5 * (low + high))
        done = np.abs(following - u) <= 4 * np.finfo(float).eps * np.maximum(np.abs(u), 1.0)
        u = following
        if done.all():
            return u
    raise ArithmeticError(f"no root within {ITERATIONS} steps between {low[~done][0]} and {high[~done][0]}")
