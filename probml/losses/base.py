"""What it costs to predict z where the response is y."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from probml.typing import Array, Mask


class Loss(ABC):
    """l(y, z), with its derivatives with respect to the predictor z. All arrays have the shape (m,).

    The curvature is l'', or a substitute that is not negative: Fisher's expectation of l''.
    convex : whether l is known to be convex in z, with l'' itself for its curvature; a GLM with another than its
        canonical link may not be.
    curvature_bound : the smallest c with |l'(u) - l'(z)| ≤ c |u - z|, the largest l''; inf if there is none, as for a
        loss with a corner.
    self_concordance : the smallest M with |d³l/dz³| ≤ M d²l/dz² everywhere, inf if there is none. It bounds how far an
        objective is from its minimum (`probml.objectives.gap`).
    """

    @property
    def convex(self) -> bool:
        """Unless a loss says otherwise."""
        return True

    @property
    def curvature_bound(self) -> float:
        """None, unless a loss has one."""
        return np.inf

    @property
    def self_concordance(self) -> float:
        """None, unless a loss has one."""
        return np.inf

    @property
    @abstractmethod
    def responses(self) -> str:
        """What y may be, in words."""

    @abstractmethod
    def value(self, y: Array, z: Array) -> Array:
        """l(y, z)."""

    @abstractmethod
    def gradient(self, y: Array, z: Array) -> Array:
        """dl/dz; where l has a corner, one of its subgradients."""

    @abstractmethod
    def curvature(self, y: Array, z: Array) -> Array:
        """l'', at a corner that of one side, or its substitute, as above. Not negative."""

    @abstractmethod
    def _valid(self, y: Array) -> Mask:
        """Whether y can be a response."""

    def value_and_gradient(self, y: Array, z: Array) -> tuple[Array, Array]:
        """Value and gradient. Losses override it where they share work."""
        return self.value(y, z), self.gradient(y, z)

    def all(self, y: Array, z: Array) -> tuple[Array, Array, Array]:
        """Value, gradient and curvature. Losses override it where they share work."""
        return self.value(y, z), self.gradient(y, z), self.curvature(y, z)

    def check(self, y: ArrayLike) -> Array:
        """y as an array of floats, if all are responses to this loss."""
        y = np.asarray(y, dtype=np.float64)
        if y.ndim != 1:
            raise ValueError(f"y must have one number for each row of X, received the shape {y.shape}")
        if not (valid := self._valid(y)).all():
            row = int(np.flatnonzero(~valid)[0])
            raise ValueError(f"{type(self).__name__} needs y to be {self.responses}; row {row} has {y[row]}")
        return y
