"""Five problems with two classes and continuous features, of those that Ng and Jordan used."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import ng_jordan

Array = NDArray[np.float64]
LABELS = {"liver": "liver", "pima": "diabetes", "boston": "houses", "ionosphere": "radar", "sonar": "sonar"}
LEFT_OUT = {"boston": ("B",)}  # computed from the proportion of Black residents, by an assumption nobody tested


@dataclass(frozen=True)
class Problem:
    """X : shape (N, n). y : 0 and 1, shape (N,)."""

    label: str
    X: Array
    y: NDArray[np.intp]

    @property
    def title(self) -> str:
        """What the problem is called in figures."""
        return f"{self.label}, n = {self.X.shape[1]}"


def problems(*names: str) -> list[Problem]:
    """Problems by the names of their data sets."""
    found = []
    for name in names:
        task = ng_jordan(name)
        kept = [feature not in LEFT_OUT.get(name, ()) for feature in task.feature_names]
        found.append(Problem(LABELS[name], task.X[:, kept], task.y))
    return found
