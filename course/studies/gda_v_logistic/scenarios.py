"""Ways in which normal classes with one covariance may be wrong, each by degrees, and what is true of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit, ndtr

Array = NDArray[np.float64]
N = 2  # features
BASE = 3.0  # Δ: distance of the means over the standard deviation where all is well
ERROR = float(ndtr(-BASE / 2))  # of the best rule there
FAR = 6.0  # standard deviations from the outliers to the rest of their class


@dataclass(frozen=True)
class Sample:
    """X, shape (B, m, n); y as it is told, shape (B, m); log_odds : log P(y = 1 | x) / P(y = 0 | x) of the true y."""

    X: Array
    y: NDArray[np.intp]
    log_odds: Array


Scenario = Callable[[tuple[int, int], np.random.Generator], Sample]


def heavy_tails(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Multivariate t with 1 / degree degrees of freedom, the means so far apart that the best rule has error ERROR."""
    if not degree:
        return normal(shape, rng)
    y = _labels(shape, rng)
    chi_square = rng.chisquare(1 / degree, shape) * degree
    means = _means(-2 * stats.t.ppf(ERROR, 1 / degree))
    X = means[y] + rng.standard_normal((*shape, N)) / np.sqrt(chi_square)[..., None]
    near, far = (np.log1p(((X - mu) ** 2).sum(axis=-1) * degree) for mu in means[::-1])
    return Sample(X, y, (1 / degree + N) / 2 * (far - near))


def skew(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Gamma features of skewness `degree`, of one shape and of two scales; the log odds stay linear in x."""
    if not degree:
        return normal(shape, rng)
    a, y = 4 / degree**2, _labels(shape, rng)
    scale = np.array([1.0, gamma_scale(a)])
    X = rng.gamma(a, 1.0, (*shape, N)) * scale[y][..., None]
    return Sample(X, y, X.sum(axis=-1) * (1 - 1 / scale[1]) - N * a * np.log(scale[1]))


def counts(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Poisson features of two rates, of which the lower is 1 / degree; the log odds stay linear in x."""
    if not degree:
        return normal(shape, rng)
    rate, y = np.array([1 / degree, poisson_rate(1 / degree)]), _labels(shape, rng)
    X = rng.poisson(rate[y][..., None], (*shape, N)).astype(np.float64)
    return Sample(X, y, X.sum(axis=-1) * np.log(rate[1] / rate[0]) - N * (rate[1] - rate[0]))


def two_covariances(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Standard deviations of the classes in the ratio 1 : 2^degree, their mean square 1."""
    y = _labels(shape, rng)
    deviation = np.array([1.0, 2.0**degree])
    deviation /= np.sqrt((deviation**2).mean())
    X = _means()[y] + rng.standard_normal((*shape, N)) * deviation[y][..., None]
    zero, one = (((X - mu) ** 2).sum(axis=-1) / s**2 for mu, s in zip(_means(), deviation, strict=True))
    return Sample(X, y, (zero - one) / 2 - N * np.log(deviation[1] / deviation[0]))


def outliers(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Normal classes, but a share `degree` of class 1 lies FAR standard deviations further away from class 0."""
    y = _labels(shape, rng)
    means = _means()
    beyond = means[1] + FAR * (means[1] - means[0]) / BASE
    X = rng.standard_normal((*shape, N)) + means[y]
    X[(rng.random(shape) < degree) & (y == 1)] += beyond - means[1]
    zero, one, further = (-((X - mu) ** 2).sum(axis=-1) / 2 for mu in (*means, beyond))
    if degree:
        one = np.logaddexp(one + np.log1p(-degree), further + np.log(degree))
    return Sample(X, y, one - zero)


def mislabelled(shape: tuple[int, int], rng: np.random.Generator, *, degree: float) -> Sample:
    """Normal classes; a share `degree` of the labels that are told is wrong."""
    sample = normal(shape, rng)
    wrong = rng.random(shape) < degree
    return Sample(sample.X, np.where(wrong, 1 - sample.y, sample.y), sample.log_odds)


def normal(shape: tuple[int, int], rng: np.random.Generator) -> Sample:
    """Nothing is wrong."""
    return outliers(shape, rng, degree=0.0)


@dataclass(frozen=True)
class Kind:
    """A way to be wrong. degrees : from right to very wrong. axis : what a degree is."""

    draw: Callable[..., Sample]
    degrees: tuple[float, ...]
    axis: str

    def at(self, degree: float) -> Scenario:
        """The scenario of this degree."""
        return partial(self.draw, degree=degree)

    def only(self, *degrees: float) -> Self:
        """The same with fewer degrees."""
        return replace(self, degrees=degrees)


KINDS: Mapping[str, Kind] = {
    "heavy tails": Kind(heavy_tails, (0.0, 0.1, 0.2, 0.4, 1.0), "1 / degrees of freedom"),
    "skew": Kind(skew, (0.0, 0.4, 0.8, 1.2, 2.0), "skewness"),
    "discrete features": Kind(counts, (0.0, 0.1, 0.3, 1.0, 3.0), "1 / lower Poisson rate"),
    "two covariances": Kind(two_covariances, (0.0, 0.25, 0.5, 1.0, 1.5), "log₂ of the ratio"),
    "outliers": Kind(outliers, (0.0, 0.02, 0.05, 0.1, 0.2), "proportion far away"),
    "wrong labels": Kind(mislabelled, (0.0, 0.05, 0.1, 0.2, 0.3), "proportion flipped"),
}


def bayes_error(sample: Sample) -> float:
    """Mean of min(p, 1 - p) over the examples: the error of the best rule, estimated."""
    return float(expit(-np.abs(sample.log_odds)).mean())


def _labels(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.intp]:
    return rng.integers(2, size=shape)


def _means(distance: float = BASE) -> Array:
    """Two points at this distance, on the diagonal, shape (2, n)."""
    return np.outer([-0.5, 0.5], np.full(N, distance / np.sqrt(N)))


@cache
def gamma_scale(a: float) -> float:
    """Scale of the second class, if that of the first is 1. The sum of the features is all that matters: gamma, too."""
    one = stats.gamma(N * a)

    def error(scale: float) -> float:
        cut = N * a * np.log(scale) / (1 - 1 / scale)
        return (one.sf(cut) + one.cdf(cut / scale)) / 2

    return _solved(error)


@cache
def poisson_rate(low: float) -> float:
    """The higher rate. The sum of the features is all that matters: Poisson, too."""

    def error(times: float) -> float:
        cut = np.floor(N * low * (times - 1) / np.log(times))
        return (stats.poisson.sf(cut, N * low) + stats.poisson.cdf(cut, N * low * times)) / 2

    return low * _solved(error)


def _solved(error: Callable[[float], float]) -> float:
    """The factor above 1 at which the best rule has the error that it has for normal classes."""
    return float(np.exp(brentq(lambda log: error(np.exp(log)) - ERROR, 1e-3, 8.0, xtol=1e-12)))
