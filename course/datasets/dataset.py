"""What `load` returns: one data set, described."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["continuous", "discrete", "text", "pixels"]


@dataclass(frozen=True)
class Column:
    """Name and kind of a feature or of the target; the values that a discrete one is coded by."""

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sample:
    """Inputs and targets of some of the rows; see `Dataset`."""

    X: list[str] | NDArray[Any]
    y: NDArray[Any]


@dataclass(frozen=True)
class Table:
    """What a format's reader returns: all rows, the training part first.

    X : list of texts, or array of shape (rows, features). y : shape (rows,).
    n_train : number of rows of the published training part; all of them where no split is published.
    """

    X: list[str] | NDArray[Any]
    y: NDArray[Any]
    features: tuple[Column, ...]
    target: Column
    n_train: int


@dataclass(frozen=True)
class Dataset(Table):
    """A data set with its published split.

    A continuous feature is a column of numbers; a discrete one holds indices into its `categories`, which are sorted,
    numbers by size. A missing value is NaN. Texts are a list of str; images are rows of pixels from 0 to 255.
    y holds indices into `class_names`, or numbers where the target is continuous.
    """

    name: str = ""
    title: str = ""
    source: str = field(default="", repr=False)
    citation: str = field(default="", repr=False)
    licence: str = field(default="", repr=False)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        return tuple(column.name for column in self.features)

    @property
    def continuous(self) -> NDArray[np.bool_]:
        """Which features are continuous; the others are discrete. Shape (features,)."""
        return np.array([column.kind == "continuous" for column in self.features])

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes; empty where the target is continuous."""
        return self.target.categories

    @property
    def train(self) -> Sample:
        """The published training part, or everything."""
        return Sample(self.X[: self.n_train], self.y[: self.n_train])

    @property
    def test(self) -> Sample:
        """The published test part; empty where there is none."""
        return Sample(self.X[self.n_train :], self.y[self.n_train :])

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells of a table are missing. Shape (rows, features)."""
        if isinstance(self.X, list):
            raise TypeError(f"{self.name} is a set of texts: no cell of it can be missing")
        return np.isnan(self.X) if self.X.dtype.kind == "f" else np.zeros(self.X.shape, dtype=bool)

    def class_counts(self) -> dict[str, dict[str, int]]:
        """Number of examples of each class, for each part that is not empty."""
        parts = {"train": self.train, "test": self.test}
        return {
            part: dict(
                zip(self.class_names, np.bincount(sample.y, minlength=len(self.class_names)).tolist(), strict=True)
            )
            for part, sample in parts.items()
            if len(sample.y) and self.class_names
        }


def _order(category: str) -> tuple[float, str]:
    """Numbers, and what starts with one, by their size: 2 before 10, 5-9 before 10-14; all else by the alphabet."""
    number = re.match(r"\d+", category)
    return (float(number[0]) if number else math.inf, category)


def coded(values: Sequence[str], missing: Sequence[str] = ()) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Indices of the values into their sorted categories, NaN where a value stands for a missing one."""
    categories = tuple(sorted(set(values) - set(missing), key=_order))
    code = {category: float(index) for index, category in enumerate(categories)}
    return np.array([code.get(value, np.nan) for value in values]), categories


def classes(labels: Sequence[str]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Indices of the labels into their sorted names."""
    codes, names = coded(labels)
    return codes.astype(np.intp), names
