"""Six points of two classes that a line separates, and a seventh that no line can have as well."""

import numpy as np

from course.studies.perceptron_hinge_logistic.scenes import Scene

NAMES = "ABCDEFG"
SIX = Scene(
    np.array([[3.0, -1.0], [-3.0, 0.0], [0.0, 1.0], [-3.0, -1.0], [-1.0, 2.0], [-2.0, 1.0]]),
    np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0]),
)
SEVEN = Scene(np.vstack([SIX.X, [3.0, 0.0]]), np.append(SIX.y, -1.0))
DIRECTION = np.array([1.0, 1.0, 0.0]) / np.sqrt(2)  # of the line x₁ + x₂ = 0, the one farthest from the six points
EXAMPLES_PER_CELL = 100
POSITIVE_IN_CELL = np.array([10, 30, 60, 75, 95])


def five_cells() -> Scene:
    """Five places with 100 examples each, of which 10, 30, 60, 75 and 95 are positive; a feature for each place."""
    within = np.arange(EXAMPLES_PER_CELL)
    y = np.concatenate([np.where(within < positive, 1.0, -1.0) for positive in POSITIVE_IN_CELL])
    return Scene(np.repeat(np.eye(len(POSITIVE_IN_CELL)), EXAMPLES_PER_CELL, axis=0), y)
