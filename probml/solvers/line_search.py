"""How far to go in a direction that goes down."""

import numpy as np

from probml.objectives.base import Objective, overflow_is_inf
from probml.typing import Array

DECREASE_SHARE = 1e-4  # of what the slope promises, that a step has to gain
MAX_TRIALS = 60  # step sizes
RELATIVE_ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of a sum such as F


def magnitude(value: float, unit: float) -> float:
    """|F|, by which rounding errors are measured: not below 1, or below the unit of an objective with small weights.

    Near 0 a value is a sum of terms that cancel, each of about the unit, and its errors are no smaller than theirs.
    """
    return max(min(1.0, unit), abs(value))


def goes_down(
    new_value: float,
    new_slope: float,
    value: float,
    slope: float,
    step: float = 1.0,
    sufficient: float = DECREASE_SHARE,
    unit: float = 1.0,
) -> bool:
    """Whether a step t leads to F ≤ F(θ) + c t slope, with c = sufficient (Armijo) and slope = ∇F(θ) · d < 0.

    Where rounding hides the difference, slopes decide: for a parabola the new one is then at most (1 - 2 c) |slope|
    (Hager and Zhang). To nan no step goes down. unit : that of the objective.
    """
    rounding = RELATIVE_ROUNDING * magnitude(value, unit)
    if new_value <= value + sufficient * step * slope - rounding:
        return True
    return bool(new_value <= value + rounding and new_slope <= (2 * sufficient - 1) * slope)


@overflow_is_inf
def backtrack(
    objective: Objective,
    theta: Array,
    value: float,
    gradient: Array,
    direction: Array,
    step: float = 1.0,
    sufficient: float = DECREASE_SHARE,
) -> tuple[float, Array, float, Array] | None:
    """Halve the step t along d until F goes down enough, from θ with this value and gradient.

    Returns t, θ + t d, F and ∇F there; None where no step does.
    """
    slope = float(gradient @ direction)
    for _ in range(MAX_TRIALS):
        there = theta + step * direction
        new_value, new_gradient = objective.value_and_gradient(there)
        if goes_down(new_value, float(new_gradient @ direction), value, slope, step, sufficient, objective.unit):
            return step, there, new_value, new_gradient
        step /= 2
    return None


@overflow_is_inf
def wolfe(
    objective: Objective,
    theta: Array,
    value: float,
    gradient: Array,
    direction: Array,
    step: float = 1.0,
    curvature: float = 0.9,
    strong: bool = False,
) -> tuple[float, Array, float, Array] | None:
    """A step t that gains enough, as above, and leaves a slope ∇F(θ + t d) · d ≥ `curvature` · slope (weak Wolfe).

    strong : the slope must not go up again by more than that either (strong Wolfe).
    The next trial is where a line through the slopes at the ends of what is left is zero: exact for a parabola.
    Returns t, θ + t d, F and ∇F there; None where no step is found.
    """
    slope = float(gradient @ direction)
    shortest, short_slope, longest, long_slope = 0.0, slope, np.inf, np.inf
    for _ in range(MAX_TRIALS):
        there = theta + step * direction
        new_value, new_gradient = objective.value_and_gradient(there)
        new_slope = float(new_gradient @ direction)
        down = goes_down(new_value, new_slope, value, slope, step, unit=objective.unit)
        if not down or (strong and new_slope > -curvature * slope):
            longest, long_slope = step, new_slope
            step = shortest + (longest - shortest) * _zero(short_slope, long_slope, 0.1, 0.9)
        elif new_slope < curvature * slope:
            step_before, slope_before, shortest, short_slope = shortest, short_slope, step, new_slope
            if longest < np.inf:
                step = shortest + (longest - shortest) * _zero(short_slope, long_slope, 0.1, 0.9)
            else:
                step = step_before + (shortest - step_before) * _zero(slope_before, short_slope, 1.5, 10.0)
        else:
            return step, there, new_value, new_gradient
    return None


def _zero(left: float, right: float, lowest: float, highest: float) -> float:
    """Where a line from `left` at 0 to `right` at 1 is zero, within limits; half-way between these if it never is."""
    at = left / (left - right) if np.isfinite(right) and left < right else (lowest + highest) / 2
    return min(max(at, lowest), highest)
