"""Waiting times of two classes, exponential with different means: a logistic posterior without a normal class."""

import numpy as np
from numpy.typing import NDArray

from course.studies.gda_v_logistic.quick_logistic import QuickLogistic, coefficients
from probml.curves import GDA
from probml.curves.subsets import Subsets

Array = NDArray[np.float64]
MEANS = (1.0, 9.0)  # minutes, of class 0 and class 1
CHUNK = 400_000  # numbers that are fitted at once


def density(x: Array) -> Array:
    """Of both classes at x ≥ 0, shape (2, ...)."""
    return np.stack([np.exp(-x / mean) / mean for mean in MEANS])


def crossing() -> float:
    """Where the densities are equal: the boundary of the best rule for equal priors."""
    short, long = MEANS
    return float(np.log(long / short) / (1 / short - 1 / long))


def error(b: Array, w: Array) -> Array:
    """Of the rule b + w x > 0 for class 1, with equal priors, exactly."""
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = np.maximum(-b / w, 0.0)
    short, long = (np.exp(-cut / mean) for mean in MEANS)
    above = (short + 1 - long) / 2
    return np.where(w > 0, above, np.where(w < 0, 1 - above, 0.5))


def excess_errors(sizes: list[int], samples: int, seed: list[int]) -> dict[str, Array]:
    """Error above that of the best rule, for samples of each size, by model: shape (sizes, samples).

    Samples have as many examples of either class, m / 2 each.
    """
    best = float(error(np.array(-crossing()), np.array(1.0)))
    found: dict[str, list[Array]] = {"GDA": [], "logistic": []}
    for place, m in enumerate(sizes):
        rng = np.random.default_rng([*seed, place])
        y = np.tile(np.repeat([0, 1], m // 2), (samples, 1))
        X = (rng.standard_exponential(y.shape) * np.array(MEANS)[y])[..., None]
        step = max(1, CHUNK // m)
        for name, model in (("GDA", GDA()), ("logistic", QuickLogistic())):
            theta = np.concatenate(
                [
                    coefficients(model.fit(Subsets(X[start : start + step], y[start : start + step], 2)))
                    for start in range(0, samples, step)
                ]
            )
            found[name].append(error(theta[:, 0], theta[:, 1]) - best)
    return {name: np.stack(each) for name, each in found.items()}
