"""The sum of the losses of examples, and a penalty: what a solver may ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import canonical
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Matrix

Block: TypeAlias = tuple[slice, Matrix, Matrix]  # numbers of rows, these rows of X, and their transpose
Preconditioner: TypeAlias = Callable[[Array], Array]  # g -> M^-1 g
Radius: TypeAlias = Callable[[float, Array], float]  # (λ, h) -> r
ALL = slice(None)
BLOCK_NUMBERS = 2**17  # of X, handled at a time: a megabyte, that stays in the cache
SHIFTS = 50  # iterations to find the best intercepts

# A step may be too long: F is inf or nan there, and solvers say so.
overflow_is_inf = np.errstate(over="ignore", invalid="ignore", divide="ignore")


class SecondOrder(NamedTuple):
    """At one θ: ∇F, shape (p,), ∇²F, shape (p, p), and how fast the latter can shrink on the way to another.

    radii : functions from (λ, h) to an r with which, along any direction d, the Hessian shrinks at most as
        e^(-r |d|_H), where H = ∇²F(θ) ≥ λ diag(h).
    """

    gradient: Array
    hessian: Array
    radii: tuple[Radius, ...]


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
    """F(θ) of θ with the shape (p,); its derivatives; and what they cost.

    F is the sum of the losses of the predictors z = x · w + b, and l2/2 |w|². θ are the V vectors (w, b) that there are
    for each example, flattened: p = V (n + 1), or V n without intercept. b is not penalised.
    Solvers ask for what they need and for no more: a first-order solver never calls for a Hessian. ∇²F is made of the
    curvatures of the losses (`probml.losses.base`), and so is positive semidefinite: a substitute where those are.

    X : dense or CSR, shape (m, n), not copied. weight : of the examples, not negative, shape (m,).
    unit : what counts as 1 where F or its gradient is compared with a tolerance: the mean weight of an example.
    convex : whether F is known to be; a GLM with another than its canonical link may not be.
    self_concordant : whether there are finite radii (`SecondOrder`).
    """

    convex: bool = True
    self_concordant: bool = True

    def __init__(self, X: Matrix, n_vectors: int, l2: float, intercept: bool, weight: ArrayLike | None) -> None:
        if not 0 <= l2 < np.inf:
            raise ValueError(f"l2 must be a finite number of at least 0, received {l2!r}")
        self.X: Matrix = canonical(X)
        m, n = self.X.shape
        self.l2, self.intercept, self.n_vectors = float(l2), intercept, n_vectors
        self.n_examples, self.n_features, self.n_parameters = int(m), int(n), n_vectors * int(n + intercept)
        self.weight = None if weight is None else checked_rows("weight", weight, m, smallest=0.0)
        self.unit = 1.0 if self.weight is None or not self.weight.any() else float(self.weight.mean())
        self.entries = n_vectors * int(m * n if isinstance(self.X, np.ndarray) else self.X.nnz)
        self.transposed: Matrix | None = None if isinstance(self.X, np.ndarray) else self.X.T  # a view, slow to make
        self.cost = Cost()

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

    def preconditioner(self, theta: Array) -> Preconditioner:
        """g -> M^-1 g, with M near ∇²F(θ) but cheaper to invert; M = I, unless an objective knows better."""
        return unchanged

    @abstractmethod
    def hessian_bound(self) -> Array:
        """B, shape (p, p), with ∇²F(θ) ≤ B for all θ. Raises where there is none."""

    @abstractmethod
    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """An unbiased estimate of ∇F(θ) from some examples drawn at random, shape (p,)."""

    @abstractmethod
    def second_order(self, theta: Array) -> SecondOrder:
        """What a bound on the gap is made of: not computed again by an objective that knows it."""

    def knows_hessian(self, theta: Array) -> bool:
        """Whether `second_order` costs nothing at θ."""
        return False

    @abstractmethod
    def best_shift(self, theta: Array) -> float | Array:
        """What to add to the intercepts so that the slopes of the losses add up to zero; nan where it is not found."""

    @abstractmethod
    def squared_norm(self, theta: Array) -> float:
        """|w|²."""

    def hessian_below(self, theta: Array) -> Array:
        """∇²F(θ), or a part of it that is already known: where that is regular, the whole is."""
        return self.newton_system(theta)[2]

    def start(self) -> Array:
        """θ = 0."""
        return np.zeros(self.n_parameters)

    def blocks(self) -> Iterator[Block]:
        """X by blocks of rows that stay in the cache; a sparse X is one block."""
        if self.transposed is not None:
            yield ALL, self.X, self.transposed
            return
        with one_blas_thread():
            for rows in self._slices():
                X = self.X[rows]
                yield rows, X, X.T

    def weighted(self, values: Array, rows: slice | Indices) -> Array:
        """Values of these rows times their weights, along the last axis."""
        return values if self.weight is None else values * self.weight[rows]

    def _slices(self) -> Iterator[slice]:
        size = max(1, BLOCK_NUMBERS // max(1, self.n_features))
        return (slice(start, start + size) for start in range(0, self.n_examples, size))

    def _penalty(self, theta: Array) -> float:
        return self.l2 / 2 * self.squared_norm(theta) if self.l2 else 0.0  # |w|² may be infinite

    def _penalty_gradient(self, theta: Array) -> Array:
        """(l2 w, 0), for θ of the shape (p,) or (V, n + 1)."""
        gradient = self.l2 * theta
        gradient[..., self.n_features :] = 0.0
        return gradient

    def _add_penalty(self, hessian: Array) -> None:
        """hessian += l2 I, but for the intercepts."""
        if not self.l2:
            return
        diagonal = self._penalty_gradient(np.ones((self.n_vectors, self.n_features + self.intercept)))
        hessian[np.diag_indices(self.n_parameters)] += diagonal.ravel()


def unchanged(gradient: Array) -> Array:
    """I g: no preconditioner."""
    return gradient


def checked_rows(name: str, values: ArrayLike, m: int, smallest: float = -np.inf) -> Array:
    """One finite number for each of m rows, none below `smallest`."""
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (m,):
        raise ValueError(f"{name} must have the shape ({m},), a number for each row of X; received {values.shape}")
    if (bad := np.flatnonzero(~(np.isfinite(values) & (values >= smallest)))).size:
        least = "" if smallest == -np.inf else f" of at least {smallest:g}"
        raise ValueError(f"{name} must be finite numbers{least}; row {bad[0]} has {values[bad[0]]}")
    return values
