"""The people of Howell's census: height, weight, and whether they are adults."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset

YEARS = 18.0  # from this age on a person counts as an adult


@dataclass(frozen=True)
class People:
    """X : height in centimetres and weight in kilograms, shape (m, 2). adult : 0 or 1. age : in years. Shape (m,)."""

    X: NDArray[np.float64]
    adult: NDArray[np.intp]
    age: NDArray[np.float64]

    @classmethod
    def of(cls, census: Dataset) -> Self:
        """All people of the data set "howell", whose columns are height, weight and age."""
        age = census.X[:, 2]
        return cls(census.X[:, :2], (age >= YEARS).astype(np.intp), age)
