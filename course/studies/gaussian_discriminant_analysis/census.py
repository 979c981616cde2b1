"""Howell's census in three groups: children, women and men."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from course.datasets import Dataset
from probml.gda import GDA

Array = NDArray[np.float64]
YEARS = 18.0  # from this age on a person counts as an adult
CHILD, WOMAN, MAN = 0, 1, 2


@dataclass(frozen=True)
class Census:
    """X : height in centimetres and weight in kilograms, shape (m, 2). group : CHILD, WOMAN or MAN, shape (m,)."""

    X: Array
    group: NDArray[np.intp]

    @classmethod
    def of(cls, data: Dataset) -> Self:
        """The data set "howell", whose columns are height, weight and age, and whose class is 1 for males."""
        return cls(data.X[:, :2], np.where(data.X[:, 2] >= YEARS, WOMAN + data.y, CHILD))

    @property
    def adults(self) -> tuple[Array, NDArray[np.intp]]:
        """Height and weight of the adults, and 1 for a man and 0 for a woman."""
        grown = self.group != CHILD
        return self.X[grown], self.group[grown] - WOMAN


def leave_one_out(covariance: str, X: Array, group: NDArray[np.intp]) -> int:
    """For how many people the prediction is wrong if each is predicted by a fit to all others."""
    wrong = 0
    for k in range(len(group)):
        model = GDA(covariance=covariance).fit(np.delete(X, k, axis=0), np.delete(group, k))
        wrong += int(model.predict(X[[k]])[0] != group[k])
    return wrong
