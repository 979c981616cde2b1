"""The exponential family: one form for all its members, and what follows from the form alone."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from probml.families.checks import at, first
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

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        with np.errstate(over="ignore", invalid="ignore"):  # refused by name in __post_init__
            return self._plus(other)

    @abstractmethod
    def _plus(self, other: Self) -> Self:
        """Statistics of the two samples together."""


@dataclass(frozen=True, eq=False)
class Totals(Statistics):
    """count = sum_i w_i, shape (*batch), and total = sum_i w_i T(x_i), shape (*batch, k)."""

    total: Array

    def _plus(self, other: Self) -> Self:
        if (k := self.total.shape[-1]) != other.total.shape[-1]:
            raise ValueError(f"statistics of length {k} and {other.total.shape[-1]} are of different families")
        return type(self)(self.count + other.count, self.total + other.total)


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

    A family says what its distributions are in methods that begin with `_`. What these are given has been checked, and
    is an array; what they return has the shape of the method of the same name, below.

    Bernoulli, Categorical, Binomial and Multinomial also have `pseudo_counts`, made-up observations that smooth the
    estimate. The other families have no value of x that could be added for all samples alike.
    """

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
    def _usual(self, eta: Array) -> dict[str, Array]:
        """The usual parameters by name, each of shape (*batch), or (*batch, …) if it is a vector or a matrix."""

    @abstractmethod
    def _statistic(self, x: Array) -> Array:
        """T(x), shape (*batch, k); NaN where x is missing."""

    @abstractmethod
    def _log_partition(self, eta: Array) -> Array:
        """A(η), shape (*batch)."""

    @abstractmethod
    def _mean_statistic(self, eta: Array) -> Array:
        """∇A(η) = E[T(x)], shape (*batch, k)."""

    @abstractmethod
    def _variance_statistic(self, eta: Array) -> Array:
        """∇²A(η) = Cov[T(x)], shape (*batch, k, k)."""

    def _log_base(self, x: Array) -> Array:
        """log h(x) = 0, shape (*batch). Families with another h override it."""
        return np.zeros(x.shape[: x.ndim - self.event_ndim])

    def _mean(self, eta: Array) -> Array:
        """E[x], shape (*batch) or (*batch, d). Families override it, and the next one, unless T(x) = x."""
        return self._mean_statistic(eta)

    def _variance(self, eta: Array) -> Array:
        """Var[x], shape (*batch), or the covariance matrix, shape (*batch, d, d)."""
        return self._variance_statistic(eta)

    def _log_density(self, x: Array, eta: Array) -> Array:
        """log h(x) + η · T(x) - A(η). Families override it where these terms cancel."""
        T = self._statistic(x)
        with np.errstate(invalid="ignore"):  # 0 · inf = 0: what does not occur costs nothing, however improbable
            product: Array = np.where(T == 0, 0.0, eta * T).sum(axis=-1)
        return self._log_base(x) + product - self._log_partition(eta)

    @abstractmethod
    def _mle(self, *args: Any, **sums: Any) -> Array:  # noqa: ANN401  the fields of the family's statistics
        """η, shape (*batch, k), from the fields of the statistics, as arguments."""

    @abstractmethod
    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        """Draws of the shape (*shape) or (*shape, d), where shape = (*size, *batch)."""

    @abstractmethod
    def _in_support(self, x: Array) -> Mask:
        """Whether each number of x may be there, of the shape of x; NaN, a missing number, need not."""

    @abstractmethod
    def _in_domain(self, eta: Array) -> Mask:
        """Whether each number of η may be there, of the shape of η."""

    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """The usual parameters from η, by name: the inverse of `natural`."""
        return self._usual(self.check_natural(eta))

    def statistic(self, x: ArrayLike) -> Array:
        """T(x), shape (*batch, k); NaN where x is missing."""
        return self._statistic(self.check(x))

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x), shape (*batch)."""
        return self._log_base(self.check(x))

    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η), shape (*batch)."""
        return self._log_partition(self.check_natural(eta))

    def mean_statistic(self, eta: ArrayLike) -> Array:
        """∇A(η) = E[T(x)], shape (*batch, k)."""
        return self._mean_statistic(self.check_natural(eta))

    def variance_statistic(self, eta: ArrayLike) -> Array:
        """∇²A(η) = Cov[T(x)], shape (*batch, k, k)."""
        return self._variance_statistic(self.check_natural(eta))

    def mean(self, eta: ArrayLike) -> Array:
        """E[x], shape (*batch) or (*batch, d)."""
        return self._mean(self.check_natural(eta))

    def variance(self, eta: ArrayLike) -> Array:
        """Var[x], shape (*batch), or the covariance matrix, shape (*batch, d, d)."""
        return self._variance(self.check_natural(eta))

    def log_density(self, x: ArrayLike, eta: ArrayLike) -> Array:
        """log p(x | η), of the broadcast shape of both batches; 0 where x is missing, since p sums to 1 over all x."""
        x, eta = self.check(x), self.check_natural(eta)
        density = self._log_density(x, eta)
        return density if self.event_ndim else np.where(np.isnan(x), 0.0, density)

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Independent draws, shape (*size, *batch) or (*size, *batch, d)."""
        eta = self.check_natural(eta)
        return self._sample(eta, rng, draws(size, eta.shape[:-1]))

    def mle(self, statistics: Statistics) -> Array:
        """The η of the largest likelihood, where E[T(x)] is the mean of T in the sample. Shape (*batch, k)."""
        own = type(statistics) is type(self.nothing())
        if not own or shapes(statistics) != shapes(self.nothing(np.shape(statistics.count))):
            raise ValueError(f"{self} needs statistics by its own `collect`, received {statistics}")
        if (empty := statistics.count <= 0).any():
            raise ValueError(f"{self}: no observations{at(empty)}, so that there is no maximum of the likelihood")
        return self._mle(**vars(statistics))

    def check(self, x: ArrayLike) -> Array:
        """x as an array of floats, if it lies in the support; NaN passes as missing where x is a number."""
        x = np.asarray(x, dtype=np.float64)
        if x.ndim < self.event_ndim:
            raise ValueError(f"{self}: x must have the shape (..., d), received the shape {x.shape}")
        inside = self._in_support(x)
        inside = np.all(inside, axis=-1) if self.event_ndim else inside | np.isnan(x)
        if not inside.all():
            raise ValueError(f"{self}: x = {first(x, ~inside)} is outside the support. Expected {self.support}.")
        return x

    def check_natural(self, eta: ArrayLike) -> Array:
        """eta as an array of floats, if A is finite there."""
        eta = np.asarray(eta, dtype=np.float64)
        if eta.shape[-1:] != (self.n_natural,):
            raise ValueError(f"{self}: eta must have the shape (..., {self.n_natural}), received {eta.shape}")
        if not (inside := np.all(self._in_domain(eta), axis=-1)).all():
            raise ValueError(f"{self}: eta = {first(eta, ~inside)} is outside the domain. Expected {self.domain}.")
        return eta

    def collect(self, x: ArrayLike, weight: ArrayLike | None = None) -> Statistics:
        """Reduce a sample to its statistics: x of shape (m, *batch) or (m, *batch, d), weights of shape (m,)."""
        x = self.check(x)
        if x.ndim < 1 + self.event_ndim:
            raise ValueError(f"{self}: a sample has its observations along axis 0, received x of shape {x.shape}")
        weight = np.ones(len(x)) if weight is None else np.asarray(weight, dtype=np.float64)
        if weight.shape != x.shape[:1]:
            raise ValueError(f"weight must have the shape {x.shape[:1]}, one for each row, received {weight.shape}")
        if not (valid := np.isfinite(weight) & (weight >= 0)).all():
            raise ValueError(f"weights must be finite and not negative, received {first(weight, ~valid)}")
        if not len(x):
            return self.nothing(x.shape[1 : x.ndim - self.event_ndim])
        present = np.ones(x.shape[:-1], dtype=bool) if self.event_ndim else ~np.isnan(x)
        return self._collect(x, weight.reshape(-1, *[1] * (present.ndim - 1)) * present)

    def _collect(self, x: Array, weight: Array) -> Statistics:
        """The same for x with at least one row and a weight for each entry, 0 where x is missing."""
        T = self._statistic(x)
        with np.errstate(over="ignore"):
            count = weight.sum(axis=0)
            # Deviations from one value of the sample, so that a constant sample has the mean T(x) to the last bit.
            start = first_present(T)
            total = count[..., None] * start + np.nansum(weight[..., None] * (T - start), axis=0)
        return Totals(count, total)

    def nothing(self, batch: Shape = ()) -> Statistics:
        """Statistics of no observation: the zero of their addition."""
        return Totals(np.zeros(batch), np.zeros((*batch, self.n_natural)))


class OneParameter(ExponentialFamily):
    """Families of one parameter with T(x) = x: then A' is the mean and A'' the variance of x."""

    n_natural = 1

    @abstractmethod
    def cumulants(self, theta: ArrayLike) -> tuple[Array, Array, Array]:
        """A, A' = E[x] and A'' = Var[x] at θ of any shape, elementwise."""

    def _statistic(self, x: Array) -> Array:
        return x[..., None]

    def _log_partition(self, eta: Array) -> Array:
        return self.cumulants(eta[..., 0])[0]

    def _mean(self, eta: Array) -> Array:
        return self.cumulants(eta[..., 0])[1]

    def _variance(self, eta: Array) -> Array:
        return self.cumulants(eta[..., 0])[2]

    def _mean_statistic(self, eta: Array) -> Array:
        return self._mean(eta)[..., None]

    def _variance_statistic(self, eta: Array) -> Array:
        return self._variance(eta)[..., None, None]


def log(p: ArrayLike) -> Array:
    """log p with log 0 = -inf and no warning: a probability of zero is meant here."""
    with np.errstate(divide="ignore"):
        log_p: Array = np.log(p)
    return log_p


def shapes(statistics: Statistics) -> list[Shape]:
    """The shape of each field."""
    return [np.shape(sums) for sums in vars(statistics).values()]


def draws(size: int | Shape, batch: Shape) -> Shape:
    """The shape (*size, *batch)."""
    return (*((size,) if isinstance(size, int | np.integer) else size), *batch)


def first_present(values: Array) -> Array:
    """The first value along axis 0 that is not missing; 0 where all are."""
    row = np.argmax(~np.isnan(values), axis=0)
    return np.nan_to_num(np.take_along_axis(values, row[None], axis=0)[0])
