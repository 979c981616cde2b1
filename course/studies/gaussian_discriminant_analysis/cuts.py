"""Errors of a family of classifiers over random cuts of a data set, with its strength chosen on the training data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.gaussian_discriminant_analysis.compromises import Family
from course.studies.gaussian_discriminant_analysis.problems import Problem
from course.studies.resampled import resampled_interval

Array = NDArray[np.float64]
STRENGTHS = np.array([0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
HELD_OUT = 3  # one row in this many is held out for the test
FOLDS = 5
MIN_OF_CLASS = 2  # training examples of each class, so that each fold leaves one


@dataclass(frozen=True)
class Outcome:
    """Errors in per cent of the held-out rows, means over the training sets of each cut.

    error : for each cut and strength, NaN where there is no estimate, shape (cuts, s). chosen : of the strength chosen
    on each training set, shape (cuts,). strength : its mean, shape (cuts,). train, test : rows on either side of a cut.
    log_loss : of the held-out rows, for each cut and strength, infinite where there is no estimate, shape (cuts, s).
    """

    size: int
    error: Array
    chosen: Array
    strength: Array
    log_loss: Array
    train: int
    test: int

    def interval(self, values: Array) -> tuple[float, float]:
        """Mean over cuts, and half the width of its 95 % interval.

        Two cuts share test rows as the cuts of all rows into `train` and `test` do. They share fewer training rows,
        so that the interval is rather too wide than too short.
        """
        return resampled_interval(values, self.train, self.test)

    def lead(self, end: int) -> tuple[float, float] | None:
        """Error of the chosen strength minus that of an end, 0 or -1; None where the end has no estimate."""
        difference = self.chosen - self.error[:, end]
        return None if np.isnan(difference).any() else self.interval(difference)


def chosen_strength(family: Family, X: Array, y: NDArray[np.intp], rng: np.random.Generator) -> int:
    """The place in STRENGTHS with the smallest log loss in cross-validation with five folds of both classes."""
    fold = np.empty(len(y), dtype=np.intp)
    for j in (0, 1):
        members = rng.permutation(np.flatnonzero(y == j))
        fold[members] = np.arange(len(members)) % FOLDS
    log_odds = np.empty((len(STRENGTHS), len(y)))
    for k in range(FOLDS):
        left_out = fold == k
        log_odds[:, left_out] = family(X[~left_out], y[~left_out], X[left_out], STRENGTHS)
    return int(_log_loss(log_odds, y).argmin())


def over_cuts(family: Family, problem: Problem, size: int, cuts: int, repeats: int, seed: list[int]) -> Outcome:
    """Hold out a third of the rows, `cuts` times; each time fit to `repeats` training sets of `size` other rows."""
    N, test = len(problem.y), len(problem.y) // HELD_OUT
    if size > N - test:
        raise ValueError(f"{problem.label} leaves {N - test} rows for training, fewer than {size}")
    errors, chosen, strength, losses = [], [], [], []
    for cut in range(cuts):
        rng = np.random.default_rng([*seed, size, cut])
        order = rng.permutation(N)
        Z, truth = problem.X[order[:test]], problem.y[order[:test]]
        found, places, loss = [], [], []
        for _ in range(repeats):
            rows = _training_set(problem.y, order[test:], size, rng)
            X, y = problem.X[rows], problem.y[rows]
            log_odds = family(X, y, Z, STRENGTHS)
            wrong = np.where(np.isnan(log_odds), np.nan, (log_odds > 0) != truth)
            found.append(100 * wrong.mean(axis=1))
            loss.append(_log_loss(log_odds, truth))
            places.append(chosen_strength(family, X, y, rng))
        errors.append(np.mean(found, axis=0))
        chosen.append(np.mean([each[place] for each, place in zip(found, places, strict=True)]))
        strength.append(STRENGTHS[places].mean())
        losses.append(np.mean(loss, axis=0))
    return Outcome(size, *map(np.array, (errors, chosen, strength, losses)), N - test, test)


def _log_loss(log_odds: Array, y: NDArray[np.intp]) -> Array:
    """Mean log loss for each strength, infinite where an example has no log odds."""
    no_estimate = np.isnan(log_odds).any(axis=1)
    margin = np.where(no_estimate[:, None], -np.inf, np.where(y == 1, log_odds, -log_odds))
    return np.logaddexp(0, -margin).mean(axis=1)


def _training_set(y: NDArray[np.intp], rows: NDArray[np.intp], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    while True:
        drawn = rng.permutation(rows)[:size]
        if np.bincount(y[drawn], minlength=2).min() >= MIN_OF_CLASS:
            return drawn
