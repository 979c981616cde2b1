"""Weights of the linear form of naive Bayes."""

import numpy as np
from numpy.typing import NDArray


def finite_weights(
    coef: NDArray[np.float64], intercept: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights themselves, if all are finite: a probability of zero has no weight."""
    if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
        raise ValueError(
            "a probability of the model is 0 or 1, so that its linear form has infinite weights: "
            "use alpha > 0 and a class prior without zeros"
        )
    return coef, intercept
