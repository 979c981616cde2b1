"""How the rate depends on the temperature if no shape is assumed: a factor for each five degrees."""

import numpy as np
from numpy.typing import NDArray

from course.studies.poisson_regression.bicycles import MILD, Hours
from probml.linear_model import PoissonRegression

Array = NDArray[np.float64]
EDGES = np.arange(-7.5, 40, 5.0)  # °C; the last range also holds the few hours above its end


def factors(data: Hours) -> tuple[Array, Array]:
    """Middles of the ranges, in °C, and the rate in each as a multiple of that around 20 °C; all else held fixed."""
    middles = EDGES[:-1] + 2.5
    group = np.minimum(np.digitize(data.celsius, EDGES) - 1, len(middles) - 1)
    others = np.flatnonzero(middles != MILD)
    kept = [k for k, name in enumerate(data.names) if not name.startswith("temperature")]
    X = np.column_stack([data.X[:, kept], *(group == k for k in others)])
    found = np.ones(len(middles))
    found[others] = np.exp(PoissonRegression().fit(X, data.y).coef_[-len(others) :])
    return middles, found
