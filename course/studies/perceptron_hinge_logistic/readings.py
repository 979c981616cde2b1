"""How far the probabilities that are read off a score are from the true ones, and how often its sign is wrong."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.svm import SVC

from course.studies.perceptron_hinge_logistic.fits import (
    Line,
    hinge,
    logistic,
    perceptron_passes,
    squared,
    squared_hinge,
)
from course.studies.perceptron_hinge_logistic.scenes import Scene, clouds, posterior
from course.studies.perceptron_hinge_logistic.six_points import POSITIVE_IN_CELL, five_cells
from probml.linear_model import LinearRegression, LinearSVC, LogisticRegression

Array = NDArray[np.float64]
DISTANCE = 2.0  # of the means of the two clouds
NEW_POINTS = 4000  # over which distances are averaged


def as_log_odds(z: Array) -> Array:
    """σ(z): the probability of y = 1 if z is its log odds."""
    return expit(z)


def as_mean(z: Array) -> Array:
    """(1 + z) / 2, cut off at 0 and 1: the probability of y = 1 if z is the mean of y = ±1."""
    return np.clip((1 + z) / 2, 0, 1)


class Reading(NamedTuple):
    """A fit, and how its scores are read as probabilities."""

    fit: Callable[[Scene, float], Line]
    read: Callable[[Array], Array]


READINGS = {
    "logistic": Reading(logistic, as_log_odds),
    "squared hinge": Reading(squared_hinge, as_mean),
    "squared": Reading(lambda scene, _: squared(scene), as_mean),
    "squared hinge, as log odds": Reading(squared_hinge, as_log_odds),
}


def in_five_places() -> dict[str, Array]:
    """Scores of four losses fitted to `five_cells`, one for each place, with penalties too small to matter."""
    cells = five_cells()
    X, y = cells.X, cells.y
    fitted = {
        "logistic": LogisticRegression(fit_intercept=False).fit(X, y),
        "squared": LinearRegression(fit_intercept=False).fit(X, y),
        "squared hinge": LinearSVC(fit_intercept=False, l2=1e-6).fit(X, y),
    }
    machine = SVC(kernel="linear", C=1000, tol=1e-8).fit(X, y)
    scores = {name: model.coef_.ravel() for name, model in fitted.items()}
    return scores | {"hinge": machine.decision_function(np.eye(len(POSITIVE_IN_CELL)))}


def distances(sizes: Sequence[int], redraws: int, l2: float, seed: int) -> dict[str, Array]:
    """Mean |p̂ - p| over new points, for each reading, size and training set: arrays (len(sizes), redraws)."""
    new = clouds(NEW_POINTS, DISTANCE, np.random.default_rng([seed, 10])).X
    p = posterior(new, DISTANCE)
    found = {name: np.empty((len(sizes), redraws)) for name in READINGS}
    for i, m in enumerate(sizes):
        for k in range(redraws):
            scene = clouds(m, DISTANCE, np.random.default_rng([seed, 11, m, k]))
            for name, (fit, read) in READINGS.items():
                found[name][i, k] = np.mean(np.abs(read(fit(scene, l2).score(new)) - p))
    return found


def passes_and_errors(m: int, redraws: int, passes: int, seed: int) -> tuple[Array, Array]:
    """Errors of the perceptron's last weights and of their average: two arrays (redraws, passes)."""
    last, average = np.empty((redraws, passes)), np.empty((redraws, passes))
    for k in range(redraws):
        rng = np.random.default_rng([seed, 9, k])
        scene = clouds(m, DISTANCE, rng)
        lines, averages = perceptron_passes(scene, rng.permutation(m), passes)
        last[k] = [line.error(DISTANCE) for line in lines]
        average[k] = [line.error(DISTANCE) for line in averages]
    return last, average


def errors(m: int, redraws: int, l2: float, seed: int) -> dict[str, Array]:
    """Errors of the methods that minimise a sum over all examples, on the same training sets: arrays (redraws,)."""
    fits = {
        "hinge": lambda scene: hinge(scene, l2),
        "squared hinge": lambda scene: squared_hinge(scene, l2),
        "squared": squared,
        "logistic": lambda scene: logistic(scene, l2),
    }
    drawn = [clouds(m, DISTANCE, np.random.default_rng([seed, 9, k])) for k in range(redraws)]
    return {name: np.array([fit(scene).error(DISTANCE) for scene in drawn]) for name, fit in fits.items()}
