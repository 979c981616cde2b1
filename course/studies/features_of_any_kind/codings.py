"""Four ways to read the census table `adult`, a family for each of its columns."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probml.datasets import Dataset
from probml.families import Bernoulli, Categorical, ExponentialFamily, Gamma, Gaussian

# Where the columns pile up: no money but wages for most, forty hours for nearly half.
EDGES = {
    "capital-gain": (1, 3000, 5000, 7000, 10_000),
    "capital-loss": (1, 1600, 1800, 2000),
    "hours-per-week": (20, 30, 35, 39, 40, 41, 50, 60),
}
YOUNGEST = 17


class Coding(NamedTuple):
    """X, shape (m, n), with NaN where a value is missing, and the family of each column."""

    X: NDArray[np.float64]
    families: tuple[ExponentialFamily, ...]


def all_gaussian(data: Dataset) -> Coding:
    """Every column a normal distribution, the numbers of categories taken for numbers."""
    return Coding(data.X, (Gaussian(),) * len(data.features))


def by_kind(data: Dataset) -> Coding:
    """Categories categorical, numbers normal."""
    return Coding(data.X, tuple(_of_kind(column.categories) for column in data.features))


def by_column(data: Dataset) -> Coding:
    """By what each column holds: ages gamma, years of school a category, gain and loss whether there is any."""
    return _changed(
        data,
        {
            "age": (lambda x: x - YOUNGEST + 1, Gamma()),
            "fnlwgt": (lambda x: x, Gamma()),
            "education-num": (lambda x: x - 1, Categorical(16)),
            "capital-gain": (lambda x: (x > 0).astype(float), Bernoulli()),
            "capital-loss": (lambda x: (x > 0).astype(float), Bernoulli()),
        },
    )


def with_bins(data: Dataset, columns: Sequence[str] = tuple(EDGES)) -> Coding:
    """As `by_column`, but gain, loss and hours (or some of them) cut into bins with edges where they pile up."""
    coding, place = by_column(data), {column.name: a for a, column in enumerate(data.features)}
    X, families = coding.X.copy(), list(coding.families)
    for name in columns:
        X[:, place[name]] = cut(data.X[:, place[name]], EDGES[name])
        families[place[name]] = Categorical(len(EDGES[name]) + 1)
    return Coding(X, tuple(families))


def readings(data: Dataset) -> dict[str, Coding]:
    """All four, by name: each looks more closely at the columns than the one before."""
    return {
        "all normal": all_gaussian(data),
        "by kind": by_kind(data),
        "by column": by_column(data),
        "with bins": with_bins(data),
    }


def with_missing_as_category(coding: Coding) -> Coding:
    """The coding with one more category, for missing values, in every categorical column that has them."""
    X, families = coding.X.copy(), list(coding.families)
    for a in np.flatnonzero(np.isnan(X).any(axis=0)):
        k = families[a].categories
        X[np.isnan(X[:, a]), a] = k
        families[a] = Categorical(k + 1)
    return Coding(X, tuple(families))


def without(coding: Coding, columns: Sequence[int]) -> Coding:
    """The coding without these columns."""
    kept = [a for a in range(len(coding.families)) if a not in set(columns)]
    return Coding(coding.X[:, kept], tuple(coding.families[a] for a in kept))


def cut(x: NDArray[np.float64], edges: Sequence[float]) -> NDArray[np.float64]:
    """The number of edges at or below each x, shape (m,)."""
    return np.searchsorted(edges, x, side="right").astype(np.float64)


def _of_kind(categories: tuple[str, ...]) -> ExponentialFamily:
    return Categorical(len(categories)) if categories else Gaussian()


def _changed(data: Dataset, changes: dict) -> Coding:
    """`by_kind`, with some columns transformed and given another family."""
    X, families = data.X.copy(), list(by_kind(data).families)
    for name, (change, family) in changes.items():
        a = data.feature_names.index(name)
        X[:, a] = change(X[:, a])
        families[a] = family
    return Coding(X, tuple(families))
