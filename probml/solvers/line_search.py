"""How far to go in a direction that goes down."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SUFFICIENT = 1e-4  # share of the slope that a step has to gain
MOST_TRIALS = 60
ROUNDING = 4 * np.finfo(np.float64).eps


def goes_down(there: float, value: float, slope: float) -> bool:
    """Whether F there is below F(θ) by 10⁻⁴ of what the slope promised (Armijo), but for rounding; nan is not."""
    return there <= value + SUFFICIENT * slope + ROUNDING * max(1.0, abs(value))


def backtrack(
    value_at: Callable[[Array], float], theta: Array, value: float, slope: float, direction: Array, step: float = 1.0
) -> tuple[float, Array] | None:
    """Halve the step t until F(θ + t d) ≤ F(θ) + 10⁻⁴ t slope, with slope = ∇F · d < 0.

    Returns t and θ + t d; None where rounding hides any decrease.
    """
    for _ in range(MOST_TRIALS):
        there = theta + step * direction
        if goes_down(value_at(there), value, step * slope):
            return step, there
        step /= 2
    return None


def bisect(
    value_and_gradient_at: Callable[[Array], tuple[float, Array]],
    theta: Array,
    value: float,
    slope: float,
    direction: Array,
    step: float = 1.0,
    curvature: float = 0.9,
    strong: bool = False,
) -> tuple[float, Array, float, Array] | None:
    """A step t that gains enough, as above, and leaves a slope ∇F(θ + t d) · d ≥ `curvature` · slope (weak Wolfe).

    strong : the slope must not go up again by more than that either (strong Wolfe).
    Too long a step is cut back to the middle of what is left, too short a one is doubled, or moved to the middle
    (Lewis and Overton). Returns t, θ + t d, F and ∇F there; None where rounding hides any decrease.
    """
    shortest, longest = 0.0, np.inf
    for _ in range(MOST_TRIALS):
        there = theta + step * direction
        new_value, gradient = value_and_gradient_at(there)
        if not goes_down(new_value, value, step * slope) or (strong and gradient @ direction > -curvature * slope):
            longest = step
        elif gradient @ direction < curvature * slope:
            shortest = step
        else:
            return step, there, new_value, gradient
        step = (shortest + longest) / 2 if longest < np.inf else 2 * step
    return None
