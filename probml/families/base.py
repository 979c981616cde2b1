"""The exponential family: one form for all its members, and what follows from the form alone."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from probml.typing import Array, Mask

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Statistics(ABC):
    """What a sample says about the parameter, and nothing more. Two samples are put together by `a + b`.

    count : sum of the weights, shape (*batch).
    """

    count: Array

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not np.isfinite(value).all():
                raise ValueError(
                    f"{name} of the sample is {first(value, ~np.isfinite(value))}: its sums are more than a "
                    "floating-point number can hold. Rescale x or the weights."
                )

    @abstractmethod
    def __add__(self, other: Self) -> Self:
        """Statistics of the two samples together."""


S = TypeVar("S", bound=Statistics)


@dataclass(frozen=True, eq=False)
class Totals(Statistics):
    """count = sum_i w_i, shape (*batch), and total = sum_i w_i T(x_i), shape (*batch, k)."""

    total: Array

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Totals):
            return NotImplemented
        if (k := self.total.shape[-1]) != other.total.shape[-1]:
            raise ValueError(f"statistics of length {k} and {other.total.shape[-1]} are of different families")
        with np.errstate(over="ignore"):  # refused by name in __post_init__
            return replace(self, count=self.count + other.count, total=self.total + other.total)


class ExponentialFamily(ABC):
    r"""Distributions whose density depends on x and η only through their product.

    .. math::
        p(x \mid \eta) = h(x) \exp(\eta \cdot T(x) - A(\eta)), \quad
        \nabla A(\eta) = E[T(x)], \quad \nabla^2 A(\eta) = \mathrm{Cov}[T(x)]

    An object holds known constants only (the number of categories, of trials, of dimensions). The natural parameter
    η = `eta` is an argument of the methods, an array of shape (*batch, k): one distribution for each index of the
    batch. x has the shape (*batch) if `event_ndim` is 0 and (*batch, d) if it is 1. Batches broadcast: x of shape
    (m, 1) against eta of shape (K, k) gives all m · K densities.

    NaN in x stands for a missing value of a scalar family: it is not counted, and its factor in a likelihood is 1.

    Bernoulli, Categorical, Binomial and Multinomial also have `pseudo_counts`, made-up observations that smooth the
    estimate. The other families have no value of x that could be added for all samples alike.
    """

    parameters: ClassVar[tuple[str, ...]]  # names of the usual parameters
    event_ndim: ClassVar[int] = 0
    domain: ClassVar[str]  # where eta may be, in words

    @property
    @abstractmethod
    def support(self) -> str:
        """Where x may be, in words."""

    @property
    @abstractmethod
    def n_natural(self) -> int:
        """k, the length of η and of T(x)."""

    @abstractmethod
    def natural(self, *args: Any, **usual: Any) -> Array:  # noqa: ANN401  each family names its own parameters
        """η from the usual parameters, given by name, shape (*batch, k)."""

    @abstractmethod
    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """The usual parameters from η, by name: the inverse of `natural`."""

    @abstractmethod
    def statistic(self, x: ArrayLike) -> Array:
        """T(x), shape (*batch, k); NaN where x is missing."""

    @abstractmethod
    def log_base(self, x: ArrayLike) -> Array:
        """log h(x), shape (*batch)."""

    @abstractmethod
    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η), shape (*batch)."""

    @abstractmethod
    def mean_statistic(self, eta: ArrayLike) -> Array:
        """∇A(η) = E[T(x)], shape (*batch, k)."""

    @abstractmethod
    def variance_statistic(self, eta: ArrayLike) -> Array:
        """∇²A(η) = Cov[T(x)], shape (*batch, k, k)."""

    @abstractmethod
    def mean(self, eta: ArrayLike) -> Array:
        """E[x], shape (*batch) or (*batch, d)."""

    @abstractmethod
    def variance(self, eta: ArrayLike) -> Array:
        """Var[x], shape (*batch), or the covariance matrix, shape (*batch, d, d)."""

    @abstractmethod
    def mle(self, statistics: Statistics) -> Array:
        """The η of the largest likelihood, where E[T(x)] is the mean of T in the sample. Shape (*batch, k)."""

    @abstractmethod
    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Independent draws, shape (*size, *batch) or (*size, *batch, d)."""

    @abstractmethod
    def _in_support(self, x: Array) -> Mask:
        """Whether x is in the support, shape (*batch)."""

    @abstractmethod
    def _in_domain(self, eta: Array) -> Mask:
        """Whether η is in the domain of A, shape (*batch)."""

    def log_density(self, x: ArrayLike, eta: ArrayLike) -> Array:
        """log p(x | η), of the broadcast shape of both batches; 0 where x is missing, since p sums to 1 over all x."""
        x, eta = self.check(x), self.check_natural(eta)
        density = self._log_density(x, eta)
        return density if self.event_ndim else np.where(np.isnan(x), 0.0, density)

    def _log_density(self, x: Array, eta: Array) -> Array:
        """log h(x) + η · T(x) - A(η). Families override it where these terms cancel."""
        return self.log_base(x) + dot(eta, self.statistic(x)) - self.log_partition(eta)

    def check(self, x: ArrayLike) -> Array:
        """x as an array of floats, if it lies in the support; NaN passes as missing where x is a number."""
        x = np.asarray(x, dtype=np.float64)
        if x.ndim < self.event_ndim:
            raise ValueError(f"{self}: x must have the shape (..., d), received the shape {x.shape}")
        if not (inside := self._in_support(x)).all():
            raise ValueError(f"{self}: x = {first(x, ~inside)} is outside the support. Expected {self.support}.")
        return x

    def check_natural(self, eta: ArrayLike) -> Array:
        """eta as an array of floats, if A is finite there."""
        eta = np.asarray(eta, dtype=np.float64)
        if eta.shape[-1:] != (self.n_natural,):
            raise ValueError(f"{self}: eta must have the shape (..., {self.n_natural}), received {eta.shape}")
        if not (inside := self._in_domain(eta)).all():
            raise ValueError(f"{self}: eta = {first(eta, ~inside)} is outside the domain. Expected {self.domain}.")
        return eta

    def collect(self, x: ArrayLike, weight: ArrayLike | None = None) -> Statistics:
        """Reduce a sample to its statistics: x of shape (m, *batch) or (m, *batch, d), weights of shape (m,)."""
        x, weight = self._sample(x, weight)
        if not len(x):
            return self.nothing(x.shape[1 : x.ndim - self.event_ndim])
        present = np.ones(x.shape[:-1], dtype=bool) if self.event_ndim else ~np.isnan(x)
        return self._collect(x, weight.reshape(-1, *[1] * (present.ndim - 1)) * present)

    def _collect(self, x: Array, weight: Array) -> Statistics:
        """The same for x with at least one row and a weight for each entry, 0 where x is missing."""
        T = self.statistic(x)
        with np.errstate(over="ignore"):
            count = weight.sum(axis=0)
            # Deviations from one value of the sample, so that a constant sample has the mean T(x) to the last bit.
            start = first_present(T)
            total = count[..., None] * start + np.nansum(weight[..., None] * (T - start), axis=0)
        return Totals(count, total)

    def nothing(self, batch: Shape = ()) -> Statistics:
        """Statistics of no observation: the zero of their addition."""
        return Totals(np.zeros(batch), np.zeros((*batch, self.n_natural)))

    def _sample(self, x: ArrayLike, weight: ArrayLike | None) -> tuple[Array, Array]:
        x = self.check(x)
        if x.ndim < 1 + self.event_ndim:
            raise ValueError(f"{self}: a sample has its observations along axis 0, received x of shape {x.shape}")
        if weight is None:
            return x, np.ones(len(x))
        weight = np.asarray(weight, dtype=np.float64)
        if weight.shape != x.shape[:1]:
            raise ValueError(f"weight must have the shape {x.shape[:1]}, one for each row, received {weight.shape}")
        if not (valid := np.isfinite(weight) & (weight >= 0)).all():
            raise ValueError(f"weights must be finite and not negative, received {first(weight, ~valid)}")
        return x, weight

    def _observed(self, statistics: Statistics, kind: type[S]) -> S:
        """The statistics, if they are of this family and of at least one observation."""
        expected = shapes_of(self.nothing(np.shape(statistics.count)))
        if not isinstance(statistics, kind) or shapes_of(statistics) != expected:
            raise ValueError(f"{self} needs statistics by its own `collect`, received {statistics}")
        if (empty := statistics.count <= 0).any():
            raise ValueError(f"{self}: no observations{at(empty)}, so that there is no maximum of the likelihood")
        return statistics


class OneParameter(ExponentialFamily):
    """Families of one parameter with T(x) = x: then A' is the mean and A'' the variance of x."""

    n_natural = 1

    @abstractmethod
    def cumulant(self, theta: ArrayLike, order: int = 0) -> Array:
        """A (order 0), A' = E[x] (order 1) or A'' = Var[x] (order 2) at θ of any shape, elementwise."""

    def statistic(self, x: ArrayLike) -> Array:
        """T(x) = x, shape (*batch, 1)."""
        return self.check(x)[..., None]

    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η), shape (*batch)."""
        return self.cumulant(self.check_natural(eta)[..., 0])

    def mean_statistic(self, eta: ArrayLike) -> Array:
        """A'(η) = E[x], shape (*batch, 1)."""
        return self.mean(eta)[..., None]

    def variance_statistic(self, eta: ArrayLike) -> Array:
        """A''(η) = Var[x], shape (*batch, 1, 1)."""
        return self.variance(eta)[..., None, None]

    def mean(self, eta: ArrayLike) -> Array:
        """E[x] = A'(η), shape (*batch)."""
        return self.cumulant(self.check_natural(eta)[..., 0], 1)

    def variance(self, eta: ArrayLike) -> Array:
        """Var[x] = A''(η), shape (*batch)."""
        return self.cumulant(self.check_natural(eta)[..., 0], 2)


def shapes_of(statistics: Statistics) -> dict[str, Shape]:
    """Shape of each field, by name."""
    return {name: np.shape(value) for name, value in vars(statistics).items()}


def dot(eta: Array, T: Array) -> Array:
    """η · T(x) over the last axis with 0 · inf = 0: what does not occur costs nothing, however improbable."""
    with np.errstate(invalid="ignore"):
        product: Array = np.where(T == 0, 0.0, eta * T).sum(axis=-1)
    return product


def log(p: ArrayLike) -> Array:
    """log p with log 0 = -inf and no warning: a probability of zero is meant here."""
    with np.errstate(divide="ignore"):
        log_p: Array = np.log(p)
    return log_p


def require_finite(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is finite."""
    return _require(name, value, np.isfinite, "finite")


def require_positive(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is finite and above 0."""
    return _require(name, value, lambda v: np.isfinite(v) & (v > 0), "finite and above 0")


def require_not_negative(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is finite and at least 0."""
    return _require(name, value, lambda v: np.isfinite(v) & (v >= 0), "finite and at least 0")


def require_probability(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is between 0 and 1."""
    return _require(name, value, lambda v: (v >= 0) & (v <= 1), "between 0 and 1")


def require_integer(name: str, value: int, at_least: int) -> None:
    """Refuse what cannot be a number of things."""
    if not (isinstance(value, int | np.integer) and value >= at_least):
        raise ValueError(f"{name} must be an integer of at least {at_least}, received {value!r}")


def _require(name: str, value: ArrayLike, valid: Callable[[Array], Mask], expected: str) -> Array:
    value = np.asarray(value, dtype=np.float64)
    if not (ok := valid(value)).all():
        raise ValueError(f"{name} must be {expected}, received {first(value, ~ok)}")
    return value


def draws(size: int | Shape, batch: Shape) -> Shape:
    """The shape (*size, *batch)."""
    return (*((size,) if isinstance(size, int | np.integer) else size), *batch)


def first(values: Array, bad: Mask) -> str:
    """The first of the values (or vectors) marked as bad, and where it stands."""
    return f"{values[bad][0]}{at(bad)}"


def at(bad: Mask) -> str:
    """Where the first True stands; nothing for a single value."""
    if not bad.ndim:
        return ""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return f" at index {index[0] if len(index) == 1 else index}"


def first_present(values: Array) -> Array:
    """The first value along axis 0 that is not missing; 0 where all are."""
    row = np.argmax(~np.isnan(values), axis=0)
    present: Array = np.nan_to_num(np.take_along_axis(values, row[None], axis=0)[0])
    return present
