"""Errors of QDA on two normal classes, by simulation."""

import numpy as np

from course.studies.two_regimes.pole import TwoClouds
from probml.gda import GDA

TEST = 4000  # fresh examples on which every fit is judged


def qda_errors(clouds: TwoClouds, m: int, samples: int, seed: int) -> float:
    """Mean error of GDA with a covariance for each class after m examples, m / 2 above n, on fresh examples."""
    rng = np.random.default_rng([seed, 6, m])
    parts, test = clouds.draw(m, samples, rng), clouds.draw(TEST, 1, rng)
    errors = [
        np.mean(GDA(covariance="per-class").fit(X, y).predict(test.X[0]) != test.y[0])
        for X, y in zip(parts.X, parts.y, strict=True)
    ]
    return float(np.mean(errors))
