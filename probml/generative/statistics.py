"""Sufficient statistics, class by class, that add up: all that estimation ever looks at."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from probml.errors import NoEstimateError
from probml.typing import Array, Indices, Labels


@dataclass(frozen=True, eq=False)
class ClassStatistics(ABC):
    """Statistics of the examples of each class; statistics(a) + statistics(b) = statistics(a and b).

    kind : what was collected. Only statistics of one kind add up, and a model reads only its own.
    classes : labels in sorted order, shape (K,).
    class_count : (weighted) number of examples N_j, shape (K,).
    n_features : number of columns of X.
    """

    kind: str
    classes: Labels
    class_count: Array
    n_features: int

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        for what in ("kind", "n_features"):
            if (ours := getattr(self, what)) != (theirs := getattr(other, what)):
                raise ValueError(f"statistics of another {what} do not add up: {ours!r} and {theirs!r}")
        if are_text(self.classes) != are_text(other.classes):
            raise ValueError(f"classes named by text and by numbers do not add up: {self.classes} and {other.classes}")
        classes = np.union1d(self.classes, other.classes)
        return self.of_classes(classes)._plus(other.of_classes(classes))

    def __radd__(self, other: int) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() starts from 0

    def of_classes(self, classes: Labels) -> Self:
        """The same statistics among more classes: those that are new here have no examples."""
        if np.array_equal(classes, self.classes):
            return self
        rows = np.searchsorted(classes, self.classes)

        def spread(values: Array) -> Array:
            wider = np.zeros((len(classes), *values.shape[1:]))
            wider[rows] = values
            return wider

        return replace(self, classes=classes, class_count=spread(self.class_count))._spread(spread)

    def class_prior(self, given: ArrayLike | None, name: str) -> Array:
        """pi_j = N_j / N, or 1 / K if `given` is "uniform", or what is given. Shape (K,). `name` is the parameter's."""
        N, K = self.class_count, len(self.class_count)
        if given is None:
            if not N.any():
                raise NoEstimateError("no class has any examples, or none with a weight above 0: give some")
            prior = N
        elif isinstance(given, str):
            if given != "uniform":
                raise ValueError(f'{name} must be None, "uniform" or {K} probabilities, received {given!r}')
            return np.full(K, 1 / K)
        else:
            prior = np.asarray(given, dtype=np.float64)
            if prior.shape != (K,):
                raise ValueError(f"{name} has shape {prior.shape}, but y has {K} classes")
            if not (prior >= 0).all() or not np.isclose(prior.sum(), 1):
                raise ValueError(f"{name} must be probabilities that sum to one, received {given!r}")
        return prior / prior.sum()

    @abstractmethod
    def _plus(self, other: Self) -> Self:
        """The sum, where both have the same classes."""

    @abstractmethod
    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        """With own fields that `spread` has gone over: it puts the rows of the old classes among those of the new."""


def are_text(labels: Labels) -> bool:
    """Whether labels are text, which has no order among numbers."""
    return isinstance(labels[0], str)


def codes_of(y: Labels, classes: Labels) -> Indices:
    """Position of each label among the sorted classes; a label that is not there is an error."""
    if are_text(y) != are_text(classes):
        raise ValueError(f"y has the label {y[:1].tolist()[0]!r}, which is not among the classes {classes}")
    codes = np.searchsorted(classes, y)
    codes[codes == len(classes)] = 0
    if (unknown := classes[codes] != y).any():
        raise ValueError(f"y has the label {y[unknown][0]}, which is not among the classes {classes}")
    return codes


def rows_by_class(codes: Indices, n_classes: int) -> tuple[Indices, Indices]:
    """Rows in the order of their classes, and of the data within a class: class j is order[ends[j]:ends[j + 1]]."""
    # Of small integers, the stable sort is a radix sort.
    order = np.argsort(codes.astype(np.min_scalar_type(n_classes)), kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_classes))])
    return order, ends
