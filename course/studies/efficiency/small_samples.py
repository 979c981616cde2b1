"""Both models on samples of any size from two normal classes: excess errors, exactly, and how many are separable."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.gda_v_logistic.quick_logistic import QuickLogistic, coefficients
from course.studies.gda_v_logistic.ratio import Ratio, ratio_of_means
from course.studies.gda_v_logistic.two_normals import TwoNormals
from probml.curves import GDA
from probml.curves.subsets import Subsets

Array = NDArray[np.float64]
BLOCK = 100_000  # numbers that are fitted at once


@dataclass(frozen=True)
class AtSize:
    """Samples of m examples: excess error of each model in each sample, and the proportion that a line separates.

    Samples with fewer than two examples of a class, or fewer than n + 2 in all, are not drawn.
    """

    m: int
    gda: Array
    logistic: Array
    separable: float

    @property
    def ratio(self) -> Ratio:
        """Mean excess error of logistic regression over that of GDA, with a 95 % interval."""
        return ratio_of_means(self.logistic, self.gda)


def at_size(case: TwoNormals, m: int, samples: int, seed: list[int]) -> AtSize:
    """Fit both models to so many samples; where one is separable, logistic regression takes the widest margin."""
    rng = np.random.default_rng(seed)
    drawn = _with_both_classes(case, m, samples, rng)
    step = max(1, BLOCK // (m * case.n))
    gda, logistic, apart = [], [], []
    for start in range(0, samples, step):
        subsets = Subsets(drawn.X[start : start + step], drawn.y[start : start + step], 2)
        gda.append(coefficients(GDA().fit(subsets)))
        fit = QuickLogistic().fit(subsets)
        logistic.append(coefficients(fit))
        apart.append(fit.separable)
    excess = (case.error(np.concatenate(each)) - case.bayes_error for each in (gda, logistic))
    return AtSize(m, *excess, float(np.concatenate(apart).mean()))


def _with_both_classes(case: TwoNormals, m: int, samples: int, rng: np.random.Generator) -> Subsets:
    X, y = [], []
    while sum(map(len, y)) < samples:
        drawn = case.draw(samples, m, rng)
        kept = np.minimum(drawn.y.sum(axis=1), m - drawn.y.sum(axis=1)) >= 2
        X.append(drawn.X[kept])
        y.append(drawn.y[kept])
    return Subsets(np.concatenate(X)[:samples], np.concatenate(y)[:samples], 2)
