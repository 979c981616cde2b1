"""Newton's method for a falling function of one variable, safeguarded by bisection, for many functions at once."""

from collections.abc import Callable

import numpy as np

from probml.typing import Array

ITERATIONS = 200


def root(function: Callable[[Array], tuple[Array, Array]], low: Array, high: Array) -> Array:
    """u with f(u) = 0, elementwise, for functions with f(low) > 0 > f(high). `function` gives f and f' at u.

    Newton's step is taken if it stays in the bracket and is at most half as long as the step before; otherwise the
    bracket is halved. After Newton's step the error is about its square, so that a step below 1e-9 is the last one: a
    further one would only follow the rounding of f.
    """
    low, high = np.array(low), np.array(high)
    u, before = 0.5 * (low + high), high - low
    done = np.zeros_like(u, dtype=bool)
    for _ in range(ITERATIONS):
        value, slope = function(u)
        low, high = np.where(value > 0, u, low), np.where(value > 0, high, u)
        step = np.divide(value, slope, out=np.full_like(u, np.inf), where=slope < 0)
        trusted = (u - step >= low) & (u - step <= high) & (np.abs(step) <= 0.5 * before)
        following = np.where(trusted, u - step, 0.5 * (low + high))
        before = np.abs(following - u)
        u = np.where(done, u, following)  # what has arrived stays, while others are on their way
        done = done | (before <= np.where(trusted, 1e-9, 4 * np.finfo(float).eps * np.maximum(np.abs(u), 1.0)))
        if done.all():
            return u
    raise ArithmeticError(f"{np.sum(~done)} of {done.size} roots were not found within {ITERATIONS} steps")
