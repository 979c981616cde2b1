"""What a solver may ask of the function that it minimises."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from probml.typing import Array, Indices, Matrix

# A step may be too long: F is inf or nan there, and solvers say so.
overflow_is_inf = np.errstate(over="ignore", invalid="ignore", divide="ignore")


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
    unit : what counts as 1 where F or its gradient is compared with a tolerance: the mean weight of an example.
    """

    n_parameters: int
    n_examples: int
    unit: float
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
    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """An unbiased estimate of ∇F(θ) from some examples drawn at random, shape (p,)."""

    @abstractmethod
    def gap_bound(self, theta: Array) -> float:
        """A number that F(θ) - min F does not exceed; inf where none is found."""

    @property
    @abstractmethod
    def bounds_gap(self) -> bool:
        """Whether near a minimum the bound is always found, and is near the gap."""

    def hessian_below(self, theta: Array) -> Array:
        """∇²F(θ), or a part of it that is already known: where that is regular, the whole is."""
        return self.newton_system(theta)[2]

    def start(self) -> Array:
        """θ = 0."""
        return np.zeros(self.n_parameters)


def checked_l2(l2: float) -> float:
    """The strength of the penalty, if it is one."""
    if not 0 <= l2 < np.inf:
        raise ValueError(f"l2 must be a finite number of at least 0, received {l2!r}")
    return float(l2)


def checked_rows(name: str, values: ArrayLike, m: int, smallest: float = -np.inf) -> Array:
    """One finite number for each of m rows, none below `smallest`."""
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (m,):
        raise ValueError(f"{name} must have the shape ({m},), a number for each row of X; received {values.shape}")
    if (bad := np.flatnonzero(~(np.isfinite(values) & (values >= smallest)))).size:
        least = "" if smallest == -np.inf else f" of at least {smallest:g}"
        raise ValueError(f"{name} must be finite numbers{least}; row {bad[0]} has {values[bad[0]]}")
    return values


def mean_weight(weight: Array | None) -> float:
    """The mean weight of an example; 1 where there are no weights, or none above 0."""
    return 1.0 if weight is None or not weight.any() else float(weight.mean())


def count_flops(X: Matrix) -> tuple[int, int]:
    """Entries of X, shape (m, n), and operations for X^T diag(v) X: one half, m n (n + 1), if dense; else all of it."""
    m, n = X.shape
    if isinstance(X, np.ndarray):
        return m * n, m * n * (n + 2)
    return int(X.nnz), int(X.nnz + 2 * np.sum(np.diff(X.indptr).astype(np.int64) ** 2))
