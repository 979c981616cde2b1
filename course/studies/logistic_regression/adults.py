"""The adults of Howell's census: sex, height and weight."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset

Array = NDArray[np.float64]
YEARS = 18.0  # from this age on a person counts as an adult


@dataclass(frozen=True)
class Adults:
    """height : in centimetres. weight : in kilograms. man : 1 for a man and 0 for a woman. All of shape (m,)."""

    height: Array
    weight: Array
    man: NDArray[np.intp]

    @classmethod
    def of(cls, census: Dataset) -> Self:
        """The adults of the data set "howell", whose columns are height, weight and age."""
        grown = census.X[:, 2] >= YEARS
        height, weight, _ = census.X[grown].T
        return cls(height, weight, census.y[grown])

    def __len__(self) -> int:
        return len(self.man)

    @property
    def features(self) -> Array:
        """Height and weight as measured, shape (m, 2)."""
        return np.column_stack([self.height, self.weight])

    @property
    def standardised(self) -> Array:
        """Height and weight with mean 0 and standard deviation 1, shape (m, 2)."""
        return (self.features - self.features.mean(axis=0)) / self.features.std(axis=0)
