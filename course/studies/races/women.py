"""The diabetes data, on which solvers are compared."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset
from course.studies.races.problems import Problem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Women:
    """The diabetes data: m = 768 women, as measured and standardised; y is 1 for those with diabetes."""

    measured: Array
    standardised: Array
    y: Array

    @classmethod
    def of(cls, pima: Dataset) -> "Women":
        """From the data set "pima"."""
        X = np.asarray(pima.X, dtype=np.float64)
        return cls(X, (X - X.mean(axis=0)) / X.std(axis=0), (pima.y == 1).astype(np.float64))

    def problem(self) -> Problem:
        """Diabetes from the eight standardised measurements, with an intercept."""
        return Problem(self.standardised, self.y, intercept=True)
