"""Howell's census as three classes of age, with heights rounded so that the data fit into a small table."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset

Array = NDArray[np.float64]

NAMES = ("child", "youth", "adult")
YEARS = (10.0, 18.0)  # ages at which a child becomes a youth, and a youth an adult
ORIGIN, STEP = 130.0, 10.0  # centimetres: the height at which x is 0, and the unit of x


@dataclass(frozen=True)
class AgeGroups:
    """x : height, rounded to 10 cm, in units of 10 cm above 130 cm. y : 0 child, 1 youth, 2 adult. Both (m,).

    weight : in kilograms, shape (m,).
    """

    x: Array
    y: NDArray[np.intp]
    weight: Array

    @classmethod
    def of(cls, census: Dataset) -> Self:
        """The people of the data set "howell", whose columns are height, weight and age."""
        height, weight, age = census.X.T
        return cls(np.rint((height - ORIGIN) / STEP), np.digitize(age, YEARS), weight)

    @property
    def levels(self) -> Array:
        """The values of x that occur, shape (G,)."""
        return np.unique(self.x)

    @property
    def counts(self) -> NDArray[np.intp]:
        """How many people of each height are of each class, shape (G, 3)."""
        group = np.searchsorted(self.levels, self.x)
        return np.array([np.bincount(self.y[group == g], minlength=len(NAMES)) for g in range(len(self.levels))])
