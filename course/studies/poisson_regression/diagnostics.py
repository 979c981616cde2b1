"""Is the spread of the counts what the model says, and how does it depend on the mean?"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def dispersion(y: Array, mu: Array, parameters: int) -> float:
    """φ = sum_i (y_i - μ_i)² / μ_i / (m - p): 1 if the counts are Poisson."""
    return float(np.sum((y - mu) ** 2 / mu) / (len(y) - parameters))


def spread_by_mean(y: Array, mu: Array, bins: int) -> tuple[Array, Array]:
    """Mean of μ and of (y - μ)² in bins of about equally many examples, ordered by μ. Shapes (bins,)."""
    parts = np.array_split(np.argsort(mu, kind="stable"), bins)
    return np.array([mu[rows].mean() for rows in parts]), np.array([np.mean((y - mu)[rows] ** 2) for rows in parts])


def growth(y: Array, mu: Array, bins: int = 25) -> float:
    """The exponent c with which (y - μ)² grows as μ^c: slope of a line through the logarithms, bin by bin."""
    middle, square = spread_by_mean(y, mu, bins)
    return float(np.polyfit(np.log(middle), np.log(square), 1)[0])


def counted_by_expected(y: Array, mu: Array) -> tuple[float, float]:
    """Σ y / Σ μ, and its standard error if the hours are independent of each other, whatever their variances."""
    return float(y.sum() / mu.sum()), float(np.sqrt(np.sum((y - mu) ** 2)) / mu.sum())


def resampled_groups(group: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """Rows of as many groups as there are, drawn with replacement."""
    order = np.argsort(group, kind="stable")
    rows = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return np.concatenate([rows[g] for g in rng.integers(len(rows), size=len(rows))])


def interval_by_groups(
    statistic: Callable[[NDArray[np.intp]], Array | float],
    group: NDArray[np.intp],
    draws: int,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """2.5 % and 97.5 % quantiles of `statistic(rows)` over resampled groups."""
    values = np.array([statistic(resampled_groups(group, rng)) for _ in range(draws)])
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    return low, high
