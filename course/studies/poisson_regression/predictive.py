"""Prediction intervals for counts, and how many counts of weeks held out they contain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from course.studies.poisson_regression import negative_binomial
from course.studies.poisson_regression.bicycles import Hours, folds_of_weeks
from course.studies.poisson_regression.diagnostics import dispersion, interval_by_groups
from probml.linear_model import LinearRegression, PoissonRegression

Array = NDArray[np.float64]
Interval = tuple[Array, Array]  # lower and upper ends, which are included
MODELS = ("Gaussian", "Poisson", "quasi-Poisson", "negative binomial")


def gaussian_interval(mu: Array, variance: float, level: float) -> Interval:
    """Central interval of N(μ, σ²), shape (m,) twice."""
    reach = stats.norm.ppf((1 + level) / 2) * np.sqrt(variance)
    return mu - reach, mu + reach


def poisson_interval(mu: Array, level: float) -> Interval:
    """Central interval of the Poisson distribution: between its (1 ∓ level)/2 quantiles, ends included."""
    return stats.poisson.ppf((1 - level) / 2, mu), stats.poisson.ppf((1 + level) / 2, mu)


def mixed_interval(mu: Array, variance: Array, level: float) -> Interval:
    """The same for a negative binomial count with mean μ and a variance above it.

    A Poisson count whose rate is drawn from a gamma distribution of mean μ and shape r has the variance μ + μ² / r.
    """
    if not np.all(variance > mu):
        raise ValueError("a mixture of Poisson distributions has a variance above its mean")
    count = stats.nbinom(mu**2 / (variance - mu), mu / variance)
    return count.ppf((1 - level) / 2), count.ppf((1 + level) / 2)


def covered(y: Array, interval: Interval) -> NDArray[np.bool_]:
    """Whether y lies within, ends included. Shape (m,)."""
    low, high = interval
    return (low <= y) & (y <= high)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What each of MODELS says of every hour, when its week was held out.

    mean : shape (4, m); low, high : ends of the intervals, shape (4, m); y : the counts; week : 0 to 104
    """

    mean: Array
    low: Array
    high: Array
    y: Array
    week: NDArray[np.intp]

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Whether the counts lie in the intervals, shape (4, m)."""
        return covered(self.y, (self.low, self.high))

    @property
    def tenth(self) -> NDArray[np.intp]:
        """0 to 9, from the quietest to the busiest tenth of the hours, by the mean of the Poisson model."""
        mu = self.mean[MODELS.index("Poisson")]
        return np.argsort(np.argsort(mu, kind="stable"), kind="stable") * 10 // len(mu)

    def coverage(self, rows: NDArray[np.intp] | None = None) -> Array:
        """Of each model in each tenth, and in the last column of all hours. Shape (4, 11)."""
        rows = np.arange(len(self.y)) if rows is None else rows
        hits, tenth = self.hits[:, rows], self.tenth[rows]
        parts = [hits[:, tenth == each].mean(axis=1) for each in range(10)]
        return np.column_stack([*parts, hits.mean(axis=1)])

    def coverage_interval(self, draws: int, rng: np.random.Generator) -> Interval:
        """95 % intervals for the coverage, from weeks drawn with replacement. Shape (4, 11) twice."""
        return interval_by_groups(self.coverage, self.week, draws, rng)


def held_out(data: Hours, folds: int, level: float, rng: np.random.Generator) -> HeldOut:
    """Every week is held out once, and predicted by models that are fitted to the weeks of the other folds."""
    fold = folds_of_weeks(data.week, folds, rng)
    mean, low, high = np.empty((3, len(MODELS), len(data.y)))
    for each in range(folds):
        mean[:, fold == each], low[:, fold == each], high[:, fold == each] = predicted(
            data.at(fold != each), data.at(fold == each), level
        )
    return HeldOut(mean, low, high, data.y, data.week)


def predicted(train: Hours, test: Hours, level: float) -> tuple[Array, Array, Array]:
    """Means and both ends of the intervals of MODELS for the hours of `test`, each of shape (4, m)."""
    line = LinearRegression().fit(train.X, train.y)
    poisson = PoissonRegression().fit(train.X, train.y)
    mu = poisson.predict(test.X)
    phi = dispersion(train.y, poisson.predict(train.X), len(poisson.solution_.theta))
    mixture = negative_binomial.fit(train.design, train.y, poisson.solution_.theta)
    nu = mixture.predict(test.design)
    intervals = (
        gaussian_interval(line.predict(test.X), line.summary().dispersion, level),
        poisson_interval(mu, level),
        mixed_interval(mu, phi * mu, level),
        mixed_interval(nu, nu + mixture.alpha * nu**2, level),
    )
    low, high = (np.array(ends) for ends in zip(*intervals, strict=True))
    return np.array([line.predict(test.X), mu, mu, nu]), low, high
