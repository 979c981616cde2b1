"""How far to go in a direction that goes down."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SUFFICIENT = 1e-4  # share of the slope that a step has to gain
MOST_TRIALS = 60
ROUNDING = 4 * np.finfo(np.float64).eps


def goes_down(new_value: float, new_slope: float, value: float, slope: float, step: float = 1.0) -> bool:
    """Whether a step t leads to F ≤ F(θ) + 10⁻⁴ t slope (Armijo), with slope = ∇F(θ) · d < 0; nan does not.

    Where rounding hides the difference, slopes decide: for a parabola the new one is then below (1 - 2 · 10⁻⁴) |slope|
    (Hager and Zhang).
    """
    rounding = ROUNDING * max(1.0, abs(value))
    if new_value <= value + SUFFICIENT * step * slope - rounding:
        return True
    return new_value <= value + rounding and new_slope <= (2 * SUFFICIENT - 1) * slope


def backtrack(
    value_and_gradient_at: Callable[[Array], tuple[float, Array]],
    theta: Array,
    value: float,
    slope: float,
    direction: Array,
    step: float = 1.0,
) -> tuple[float, Array, float, Array] | None:
    """Halve the step t until F goes down enough. Returns t, θ + t d, F and ∇F there; None where no step does."""
    for _ in range(MOST_TRIALS):
        there = theta + step * direction
        new_value, gradient = value_and_gradient_at(there)
        if goes_down(new_value, gradient @ direction, value, slope, step):
            return step, there, new_value, gradient
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
    (Lewis and Overton). Returns t, θ + t d, F and ∇F there; None where no step is found.
    """
    shortest, longest = 0.0, np.inf
    for _ in range(MOST_TRIALS):
        there = theta + step * direction
        new_value, gradient = value_and_gradient_at(there)
        new_slope = gradient @ direction
        if not goes_down(new_value, new_slope, value, slope, step) or (strong and new_slope > -curvature * slope):
            longest = step
        elif new_slope < curvature * slope:
            shortest = step
        else:
            return step, there, new_value, gradient
        step = (shortest + longest) / 2 if longest < np.inf else 2 * step
    return None
