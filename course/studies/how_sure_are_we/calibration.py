"""Is the model with height alone calibrated? Men found minus men expected, by group or not, beside that of chance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.how_sure_are_we.sampling import CENTRE
from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression

Array = NDArray[np.float64]
UNIT = 8.0  # cm, about a standard deviation of height, so that Newton's systems are well conditioned
STEPS = 12  # of Newton's method, from a start that is close
BAND = (0.025, 0.975)  # quantiles of the running sums by chance
FLAT = 1e-6  # largest entry of a gradient at which Newton's method counts as converged


@dataclass(frozen=True)
class Tested:
    """What is observed, and the same in simulated censuses that were drawn from the fitted model and fitted again.

    groups : numbers of groups, shape (G,).
    error : expected calibration error with so many groups, shape (G,). error_by_chance : shape (repeats, G).
    heights : all that occur, ascending, shape (H,).
    running_sum : men found minus men expected, added up from the shortest person to each height, shape (H,).
    band : at each height, the middle 95 % of the running sums by chance, shape (2, H).
    sum_by_chance : the largest absolute value of each running sum by chance, shape (repeats,).
    """

    groups: NDArray[np.intp]
    error: Array
    error_by_chance: Array
    heights: Array
    running_sum: Array
    band: Array
    sum_by_chance: Array

    @property
    def largest_sum(self) -> float:
        """Largest absolute value of the running sum."""
        return float(np.abs(self.running_sum).max())

    @property
    def p_values(self) -> Array:
        """Of the calibration error, for each number of groups, shape (G,)."""
        return np.mean(self.error_by_chance >= self.error, axis=0)

    @property
    def p_value_without_groups(self) -> float:
        """Of the largest sum."""
        return float(np.mean(self.sum_by_chance >= self.largest_sum))


def by_height(height: Array, groups: int, of: Array | None = None) -> NDArray[np.intp]:
    """Group of each person, or of each height in `of`: about equally many people in each, equal heights together."""
    borders = np.quantile(height, np.linspace(0, 1, groups + 1))[1:-1]
    return np.searchsorted(borders, height if of is None else of)


def against_chance(
    adults: Adults, numbers_of_groups: Sequence[int], repeats: int, rng: np.random.Generator, degree: int = 1
) -> Tested:
    """Compare a census with `repeats` censuses in which the log odds are a polynomial of height of this degree."""
    heights, place, count = np.unique(adults.height, return_inverse=True, return_counts=True)
    X = np.vander((heights - CENTRE[0]) / UNIT, degree + 1)
    men = np.bincount(place, adults.man)
    theta = _fit(X, men[None], count, np.zeros(degree + 1))[0]
    drawn = rng.binomial(count, expit(X @ theta), (repeats, len(count))).astype(np.float64)
    censuses = np.vstack([men, drawn])  # the observed one first
    excess = censuses - count * expit(_fit(X, censuses, count, theta) @ X.T)
    error = np.empty((repeats + 1, len(numbers_of_groups)))
    for k, groups in enumerate(numbers_of_groups):
        member = by_height(adults.height, groups, heights)[:, None] == np.arange(groups)
        error[:, k] = np.abs(excess @ member).sum(axis=1) / len(adults)
    sums = np.cumsum(excess, axis=1)
    band = np.quantile(sums[1:], BAND, axis=0)
    by_chance = np.abs(sums[1:]).max(axis=1)
    return Tested(np.array(numbers_of_groups), error[0], error[1:], heights, sums[0], band, by_chance)


def _fit(X: Array, men: Array, count: NDArray[np.intp], start: Array) -> Array:
    """θ of each row of `men`, the numbers of men among the `count` people of each height. Shape (n, d)."""
    theta = np.tile(start, (len(men), 1))
    for _ in range(STEPS):
        p = expit(theta @ X.T)
        hessian = np.einsum("nj,jd,je->nde", count * p * (1 - p), X, X, optimize=True)
        theta = theta + np.linalg.solve(hessian, ((men - count * p) @ X)[:, :, None])[:, :, 0]
    if np.abs((men - count * expit(theta @ X.T)) @ X).max() > FLAT:
        raise RuntimeError(f"a simulated census was not fitted in {STEPS} steps")
    return theta


def left_out(adults: Adults) -> Array:
    """P(man | height) of each adult, from a model fitted to all the others. Shape (m,)."""
    height, everyone = adults.standardised[:, :1], np.arange(len(adults))
    found = np.empty(len(adults))
    for k in everyone:
        rest = everyone != k
        found[k] = LogisticRegression().fit(height[rest], adults.man[rest]).predict_proba(height[[k]])[0, 1]
    return found
