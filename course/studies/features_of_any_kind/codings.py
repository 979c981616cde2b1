"""Four ways to read the survey table `adult`, a family for each of its columns."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset
from probml.families import Bernoulli, Categorical, ExponentialFamily, Gamma, Gaussian

Edges = Mapping[str, Sequence[float]]  # of the bins of a column, by its name

# Chosen by eye where the columns pile up: no money but wages for most, forty hours for nearly half.
MONEY = {"capital-gain": (1, 3000, 5000, 7000, 10_000), "capital-loss": (1, 1600, 1800, 2000)}
HOURS = {"hours-per-week": (20, 30, 35, 39, 40, 41, 50, 60)}
YOUNGEST = 17


class Coding(NamedTuple):
    """X, shape (m, n), with NaN where a value is missing, and the family of each column."""

    X: NDArray[np.float64]
    families: tuple[ExponentialFamily, ...]


def all_gaussian(data: Dataset) -> Coding:
    """Every column a normal distribution, the codes of categories taken for measurements."""
    return Coding(data.X, (Gaussian(),) * len(data.features))


def by_kind(data: Dataset) -> Coding:
    """Categories categorical, numbers normal."""
    return Coding(data.X, tuple(_of_kind(column.categories) for column in data.features))


def money_in_bins(data: Dataset) -> Coding:
    """As `by_kind`, but capital gain and loss cut into bins."""
    return in_bins(by_kind(data), data, MONEY)


def by_column(data: Dataset) -> Coding:
    """By what each column holds: ages and weights gamma, years of school a category, gain, loss and hours in bins."""
    X, families = data.X.copy(), list(by_kind(data).families)
    place = data.feature_names.index
    X[:, place("age")] -= YOUNGEST - 1
    families[place("age")] = families[place("fnlwgt")] = Gamma()
    X[:, place("education-num")] -= 1
    families[place("education-num")] = Categorical(16)
    return in_bins(Coding(X, tuple(families)), data, {**MONEY, **HOURS})


def readings(data: Dataset) -> dict[str, Coding]:
    """All four, by name: each looks more closely at the columns than the one before."""
    return {
        "all normal": all_gaussian(data),
        "by kind": by_kind(data),
        "gain and loss in bins": money_in_bins(data),
        "by column": by_column(data),
    }


def variants(data: Dataset) -> dict[str, Coding]:
    """What else one might do with capital gain and loss, by name: leave them out, cut them by a rule, or yes or no."""
    columns = tuple(MONEY)
    return {
        "by kind, without gain and loss": without(by_kind(data), [data.feature_names.index(name) for name in columns]),
        "gain and loss in bins, edges by a rule": in_bins(by_kind(data), data, fifths(data, columns)),
        "by column, gain and loss yes or no": yes_or_no(by_column(data), data, columns),
    }


def in_bins(coding: Coding, data: Dataset, edges: Edges) -> Coding:
    """The coding, with the columns named in `edges` cut there and made categorical."""
    X, families = coding.X.copy(), list(coding.families)
    for name, own in edges.items():
        a = data.feature_names.index(name)
        X[:, a] = cut(data.X[:, a], own)
        families[a] = Categorical(len(own) + 1)
    return Coding(X, tuple(families))


def fifths(data: Dataset, columns: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Edges by a rule: zero is a bin of its own, and the positive values of a column are cut into fifths."""
    found = {}
    for name in columns:
        x = data.X[:, data.feature_names.index(name)]
        found[name] = (1.0, *np.unique(np.quantile(x[x > 0], (0.2, 0.4, 0.6, 0.8))).tolist())
    return found


def yes_or_no(coding: Coding, data: Dataset, columns: Sequence[str]) -> Coding:
    """The coding, of these columns only whether they are above zero."""
    X, families = coding.X.copy(), list(coding.families)
    for name in columns:
        a = data.feature_names.index(name)
        X[:, a] = data.X[:, a] > 0
        families[a] = Bernoulli()
    return Coding(X, tuple(families))


def with_missing_as_category(coding: Coding, columns: Sequence[int]) -> Coding:
    """The coding with one more category, for missing values, in these categorical columns."""
    X, families = coding.X.copy(), list(coding.families)
    for a in columns:
        k = families[a].categories
        X[np.isnan(X[:, a]), a] = k
        families[a] = Categorical(k + 1)
    return Coding(X, tuple(families))


def taken_from(coding: Coding, other: Coding, column: int) -> Coding:
    """The coding, with this one column, its values and its family, as in the other coding of the same table."""
    X, families = coding.X.copy(), list(coding.families)
    X[:, column], families[column] = other.X[:, column], other.families[column]
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
