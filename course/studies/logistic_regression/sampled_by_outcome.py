"""What a fit loses if people are sampled by their outcome: half of the men left out at random."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression

Array = NDArray[np.float64]
SHORT = 143.0  # cm; two men of the census are shorter


@dataclass(frozen=True)
class Changes:
    """Change of the slope per cm, the log odds at mean height and the decision height in cm, shape (repeats, 3).

    observed : for the census. if_true : for responses drawn from the fitted model. expected : by theory, shape (3,).
    weighted : for the census with each man counted as the proportion of men that is kept, shape (3,).
    weighted_without_short : the same if the men below 143 cm had never been in the census, shape (3,).
    """

    observed: Array
    if_true: Array
    expected: Array
    weighted: Array
    weighted_without_short: Array


def without_half_the_men(adults: Adults, repeats: int, rng: np.random.Generator) -> Changes:
    """Fit to all women and half of the men, drawn at random, minus the fit to all."""
    fitted = _fit(adults.height, adults.man)
    centre = adults.height.mean()
    p = expit(fitted[1] + fitted[0] * (adults.height - centre))
    observed, if_true = [], []
    for _ in range(repeats):
        observed.append(_fit(*_halved(adults.height, adults.man, rng), centre) - fitted)
        y = (rng.random(len(p)) < p).astype(int)
        if_true.append(_fit(*_halved(adults.height, y, rng), centre) - _fit(adults.height, y, centre))
    men = np.count_nonzero(adults.man)
    lost = np.log(men / (men // 2))
    others = ~((adults.man == 1) & (adults.height < SHORT))
    return Changes(
        np.array(observed),
        np.array(if_true),
        np.array([0.0, -lost, lost / fitted[0]]),
        _counted_less(adults.height, adults.man, np.exp(-lost), centre),
        _counted_less(adults.height[others], adults.man[others], np.exp(-lost), centre),
    )


def _counted_less(height: Array, y: NDArray, weight: float, centre: float) -> Array:
    """Fit in which each man has this weight, minus the fit in which he has weight one."""
    return _fit(height, y, centre, np.where(y == 1, weight, 1.0)) - _fit(height, y, centre)


def _halved(height: Array, y: NDArray, rng: np.random.Generator) -> tuple[Array, NDArray]:
    men = np.flatnonzero(y == 1)
    rows = np.concatenate([np.flatnonzero(y == 0), rng.choice(men, len(men) // 2, replace=False)])
    return height[rows], y[rows]


def _fit(height: Array, y: NDArray, centre: float | None = None, weights: Array | None = None) -> Array:
    """Slope per cm, log odds at the height `centre`, decision height."""
    centre = height.mean() if centre is None else centre
    model = LogisticRegression().fit((height - centre)[:, None], y, weights)
    slope, intercept = model.coef_.item(), model.intercept_.item()
    return np.array([slope, intercept, centre - intercept / slope])
