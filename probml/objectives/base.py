"""What a solver may ask of the function that it minimises."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Cost:
    """What has been asked so far: passes over all examples, and floating-point operations."""

    passes: float = 0.0
    flops: float = 0.0

    def add(self, passes: float, flops: float) -> None:
        """One more piece of work."""
        self.passes += passes
        self.flops += flops


class Objective(ABC):
    """F(θ), convex, of θ with the shape (p,); its derivatives; and what they cost.

    Solvers ask for what they need and for no more: a first-order solver never calls for a Hessian.
    """

    n_parameters: int
    n_examples: int
    cost: Cost

    @abstractmethod
    def value(self, theta: Array) -> float:
        """F(θ)."""

    @abstractmethod
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ), shape (p,)."""

    @abstractmethod
    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ), shape (p, p), in one pass."""

    @abstractmethod
    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d, shape (p,), without the Hessian."""

    @abstractmethod
    def hessian_bound(self) -> Array:
        """B, shape (p, p), with ∇²F(θ) ≤ B for all θ. Raises where there is none."""

    @abstractmethod
    def gradient_of(self, rows: NDArray[np.intp], theta: Array) -> Array:
        """An unbiased estimate of ∇F(θ) from some examples drawn at random, shape (p,)."""

    @abstractmethod
    def gap_bound(self, theta: Array) -> float:
        """A number that F(θ) - min F does not exceed; inf where none is found."""

    def start(self) -> Array:
        """θ = 0."""
        return np.zeros(self.n_parameters)
