"""Efron's efficiency by simulation: both models fitted to the same samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from course.studies.gda_v_logistic.quick_logistic import coefficients, logistic_from
from course.studies.gda_v_logistic.ratio import Ratio, ratio_of_means
from course.studies.gda_v_logistic.two_normals import Array, TwoNormals
from probml.curves import GDA, LogisticRegression
from probml.curves.subsets import Subsets

CHUNK = 2_000_000  # numbers that are drawn at once
BLOCK = 100_000  # numbers that are fitted at once: they stay in the cache of a processor


@dataclass(frozen=True)
class Fits:
    """(b, w) of both models for each sample, shape (samples, n + 1)."""

    case: TwoNormals
    gda: Array
    logistic: Array

    def excess(self) -> tuple[Array, Array]:
        """Error above that of the best rule, exactly, for each sample and model."""
        return tuple(self.case.error(theta) - self.case.bayes_error for theta in (self.gda, self.logistic))

    def on_the_boundary(self) -> tuple[Array, Array]:
        """Mean square of the error of b + w · x over the true boundary: what excess errors are to second order.

        It has a meaning for Δ = 0 too, where all rules have the same error and the limit is that of equal priors.
        """
        delta = self.case.delta
        tau = -self.case.log_prior_odds / delta if delta else 0.0
        off = (theta - self.case.theta for theta in (self.gda, self.logistic))
        return tuple((each[:, 0] + tau * each[:, 1]) ** 2 + (each[:, 2:] ** 2).sum(axis=1) for each in off)

    def efficiency(self, level: float = 0.95) -> Ratio:
        """Mean excess error of GDA over that of logistic regression, with an interval."""
        return ratio_of_means(*(self.excess() if self.case.delta else self.on_the_boundary()), level)


def simulate(case: TwoNormals, m: int, samples: int, seed: int | list[int]) -> Fits:
    """Fit both models to so many samples of m examples."""
    rng = np.random.default_rng(seed)
    found: list[tuple[Array, Array]] = []
    step = max(1, CHUNK // (m * case.n))
    for start in range(0, samples, step):
        drawn = case.draw(min(step, samples - start), m, rng)
        for subsets in _blocks(drawn):
            logistic, _ = logistic_from(case.theta, subsets, LogisticRegression())
            found.append((coefficients(GDA().fit(subsets)), logistic))
    gda, logistic = (np.concatenate(each) for each in zip(*found, strict=True))
    return Fits(case, gda, logistic)


def simulated_efficiencies(
    cases: Sequence[TwoNormals], m: int, samples: int, seed: list[int], level: float = 0.95
) -> dict[TwoNormals, Ratio]:
    """The efficiency of each case, with intervals that all hold at once with probability `level` (by Bonferroni)."""
    runs = Parallel(n_jobs=-1)(delayed(simulate)(case, m, samples, [*seed, place]) for place, case in enumerate(cases))
    return {run.case: run.efficiency(1 - (1 - level) / len(cases)) for run in runs}


def _blocks(drawn: Subsets) -> Iterator[Subsets]:
    step = max(1, BLOCK // drawn.X[0].size)
    for start in range(0, len(drawn.X), step):
        yield Subsets(drawn.X[start : start + step], drawn.y[start : start + step], drawn.K)
