"""Probabilities for people whom the model has not seen, and what calibration error chance alone would give."""

import numpy as np
from numpy.typing import NDArray

from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression
from probml.metrics import calibration_curve

Array = NDArray[np.float64]


def probabilities(adults: Adults) -> Array:
    """P(man | height) of each adult, from a model fitted to all the others. Shape (m,)."""
    height, everyone = adults.standardised[:, :1], np.arange(len(adults))
    found = np.empty(len(adults))
    for k in everyone:
        rest = everyone != k
        found[k] = LogisticRegression().fit(height[rest], adults.man[rest]).predict_proba(height[[k]])[0, 1]
    return found


def errors_by_chance(p: Array, groups: int, repeats: int, rng: np.random.Generator) -> Array:
    """Expected calibration errors of probabilities that are exactly right: responses are drawn from p itself."""
    drawn = (rng.random((repeats, len(p))) < p).astype(int)
    return np.array([calibration_curve(y, p, groups, "quantile").error for y in drawn])
