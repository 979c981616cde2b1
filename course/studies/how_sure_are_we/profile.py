"""The log likelihood as a function of one coefficient, with all others at their best for it."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.how_sure_are_we.sampling import CENTRE
from course.studies.logistic_regression.adults import Adults

Array = NDArray[np.float64]
STEPS = 12  # of Newton's method, from a start that is close


def profile_of_weight(adults: Adults, coefficients: Array) -> Array:
    """Largest ℓ over the slope of height and the intercept, for each coefficient of weight (per kg). Shape (n,)."""
    height, weight = (adults.features - CENTRE).T
    X, y, theta = np.column_stack([height, np.ones(len(height))]), adults.man, np.zeros(2)
    values = []
    for coefficient in coefficients:
        for _ in range(STEPS):
            p = expit(X @ theta + coefficient * weight)
            theta = theta + np.linalg.solve((X.T * (p * (1 - p))) @ X, X.T @ (y - p))
        z = X @ theta + coefficient * weight
        values.append(np.sum(y * z - np.logaddexp(0, z)))
    return np.array(values)
