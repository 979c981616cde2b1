"""The Gaussian family on the line."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.families.base import (
    Array,
    ExponentialFamily,
    Shape,
    Statistics,
    at,
    draws,
    first_present,
    require_finite,
    require_positive,
)


@dataclass(frozen=True, eq=False)
class Centred(Statistics):
    """count = sum_i w_i, the weighted mean, and scatter = sum_i w_i (x_i - mean)²; all of shape (*batch).

    Sums of x² would lose the variance where the mean is large, so that the sums are centred from the beginning and
    merged by the pairwise update of Chan, Golub and LeVeque (1979), with δ = mean_b - mean_a and n = n_a + n_b:

        mean = mean_a + δ n_b / n        scatter = scatter_a + scatter_b + δ² n_a n_b / n
    """

    mean: Array
    scatter: Array

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Centred):
            return NotImplemented
        with np.errstate(over="ignore", invalid="ignore"):  # refused by name in __post_init__
            count = self.count + other.count
            share = np.divide(other.count, count, out=np.zeros_like(count), where=count > 0)
            delta = other.mean - self.mean
            return Centred(
                count,
                self.mean + delta * share,
                self.scatter + other.scatter + delta**2 * (self.count * share),
            )


@dataclass(frozen=True)
class Gaussian(ExponentialFamily):
    r"""Normal distributions of a real x.

    .. math::
        & p(x \mid \mu, \sigma^2) = \frac{e^{-(x - \mu)^2 / (2 \sigma^2)}}{\sqrt{2 \pi \sigma^2}}
        = h(x) \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta = \left(\frac{\mu}{\sigma^2}, -\frac{1}{2 \sigma^2}\right), \quad T(x) = (x, x^2), \quad
        h(x) = \frac{1}{\sqrt{2 \pi}} \\
        & A(\eta) = -\frac{\eta_1^2}{4 \eta_2} - \tfrac{1}{2} \log(-2 \eta_2)
        = \frac{\mu^2}{2 \sigma^2} + \log \sigma \\
        & \nabla A(\eta) = (\mu, \mu^2 + \sigma^2), \quad \nabla^2 A(\eta) = \begin{pmatrix}
        \sigma^2 & 2 \mu \sigma^2 \\ 2 \mu \sigma^2 & 4 \mu^2 \sigma^2 + 2 \sigma^4 \end{pmatrix}

    The variance has to be above 0.
    """

    parameters = ("mean", "variance")
    n_natural = 2
    support = "a finite number"
    domain = "eta_1 finite, eta_2 finite and below 0"

    def natural(self, *, mean: ArrayLike, variance: ArrayLike) -> Array:
        """η = (μ / σ², -1 / (2 σ²)), shape (*batch, 2)."""
        mean, variance = require_finite("mean", mean), require_positive("variance", variance)
        with np.errstate(over="ignore"):
            eta = np.stack(np.broadcast_arrays(mean / variance, -0.5 / variance), axis=-1)
        return self.check_natural(eta)

    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """μ = -η_1 / (2 η_2) and σ² = -1 / (2 η_2), shape (*batch)."""
        eta = self.check_natural(eta)
        return {"mean": eta[..., 0] / (-2 * eta[..., 1]), "variance": -0.5 / eta[..., 1]}

    def statistic(self, x: ArrayLike) -> Array:
        """T(x) = (x, x²), shape (*batch, 2)."""
        x = self.check(x)
        return np.stack([x, x**2], axis=-1)

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x) = -½ log 2π."""
        return np.full_like(self.check(x), -0.5 * np.log(2 * np.pi))

    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η) = -η_1² / (4 η_2) - ½ log(-2 η_2)."""
        eta_1, eta_2 = np.moveaxis(self.check_natural(eta), -1, 0)
        return -(eta_1**2) / (4 * eta_2) - 0.5 * np.log(-2 * eta_2)

    def mean_statistic(self, eta: ArrayLike) -> Array:
        """E[T] = (μ, μ² + σ²), shape (*batch, 2)."""
        mu, variance = self.usual(eta).values()
        return np.stack([mu, mu**2 + variance], axis=-1)

    def variance_statistic(self, eta: ArrayLike) -> Array:
        """Cov[T] = [[σ², 2 μ σ²], [2 μ σ², 4 μ² σ² + 2 σ⁴]], shape (*batch, 2, 2)."""
        mu, variance = self.usual(eta).values()
        across = 2 * mu * variance
        rows = [[variance, across], [across, 2 * mu * across + 2 * variance**2]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    def mean(self, eta: ArrayLike) -> Array:
        """μ, shape (*batch)."""
        return self.usual(eta)["mean"]

    def variance(self, eta: ArrayLike) -> Array:
        """σ², shape (*batch)."""
        return self.usual(eta)["variance"]

    def _log_density(self, x: Array, eta: Array) -> Array:
        """-½ [(x - μ)² / σ² + log(2π σ²)]: in η · T(x) - A(η) the squares of x and μ would cancel."""
        mu, variance = self.usual(eta).values()
        with np.errstate(over="ignore"):  # a density of zero
            return -0.5 * (((x - mu) / np.sqrt(variance)) ** 2 + np.log(2 * np.pi) + np.log(variance))

    def _collect(self, x: Array, weight: Array) -> Centred:
        with np.errstate(over="ignore", invalid="ignore"):
            count = weight.sum(axis=0)
            mean = first_present(x)
            # Twice, since the first mean is rounded: what is left of Σ w (x - mean) corrects the mean and the scatter.
            for _ in range(2):
                deviation = np.where(weight > 0, x - mean, 0.0)
                left = np.sum(weight * deviation, axis=0)
                shift = np.divide(left, count, out=np.zeros_like(count), where=count > 0)
                mean = mean + shift
            scatter = np.maximum(np.sum(weight * deviation**2, axis=0) - left * shift, 0.0)
        return Centred(count, np.where(count > 0, mean, 0.0), scatter)

    def nothing(self, batch: Shape = ()) -> Centred:
        """Statistics of no observation."""
        return Centred(np.zeros(batch), np.zeros(batch), np.zeros(batch))

    def mle(self, statistics: Centred) -> Array:
        """μ = mean and σ² = scatter / count, as η of shape (*batch, 2)."""
        self._observed(statistics)
        if (constant := statistics.scatter <= 0).any():
            raise ValueError(
                f"{self}: the sample is constant{at(constant)}, x = {statistics.mean[constant][0]} throughout, so that "
                "the variance is zero and the likelihood has no maximum. Leave it out, or set a least variance."
            )
        return self.natural(mean=statistics.mean, variance=statistics.scatter / statistics.count)

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws μ + σ z, shape (*size, *batch)."""
        mu, variance = self.usual(eta).values()
        return mu + np.sqrt(variance) * rng.standard_normal(draws(size, mu.shape))

    def _in_support(self, x: Array) -> NDArray[np.bool_]:
        return ~np.isinf(x)

    def _in_domain(self, eta: Array) -> NDArray[np.bool_]:
        return np.isfinite(eta).all(axis=-1) & (eta[..., 1] < 0)
