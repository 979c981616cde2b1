"""What `load` returns: one data set, described."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sample:
    """Inputs and labels: `X` has one text per example, `y` (shape (n,)) holds indices into the class names."""

    X: list[str]
    y: NDArray[np.intp]


@dataclass(frozen=True)
class Dataset:
    """A data set with its published split.

    `train` and `test` are the two published parts; where a set has no test part, `test` is empty.
    `y` holds indices into `class_names`, which are sorted.
    """

    name: str
    title: str
    train: Sample
    test: Sample
    class_names: tuple[str, ...]
    source: str
    citation: str
    licence: str

    def class_counts(self) -> dict[str, dict[str, int]]:
        """Number of examples of each class, for each part that is not empty."""
        parts = {"train": self.train, "test": self.test}
        return {
            part: dict(
                zip(self.class_names, np.bincount(sample.y, minlength=len(self.class_names)).tolist(), strict=True)
            )
            for part, sample in parts.items()
            if sample.X
        }
