"""The Gaussian family on the line."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from probml.families.base import ExponentialFamily, Shape
from probml.families.centred import Centred
from probml.families.checks import at, require, require_positive
from probml.typing import Array, Mask


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

    n_natural = 2
    support = "a finite number"
    domain = "eta_1 finite, eta_2 finite and below 0"

    def natural(self, *, mean: ArrayLike, variance: ArrayLike) -> Array:
        """η = (μ / σ², -1 / (2 σ²)), shape (*batch, 2)."""
        mean, variance = require("mean", mean, np.isfinite, "finite"), require_positive("variance", variance)
        with np.errstate(over="ignore"):
            eta = np.stack(np.broadcast_arrays(mean / variance, -0.5 / variance), axis=-1)
        return self.check_natural(eta)

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"mean": eta[..., 0] / (-2 * eta[..., 1]), "variance": -0.5 / eta[..., 1]}

    def _statistic(self, x: Array) -> Array:
        return np.stack([x, x**2], axis=-1)

    def _log_base(self, x: Array) -> Array:
        return np.full_like(x, -0.5 * np.log(2 * np.pi))

    def _log_partition(self, eta: Array) -> Array:
        eta_1, eta_2 = np.moveaxis(eta, -1, 0)
        return -(eta_1**2) / (4 * eta_2) - 0.5 * np.log(-2 * eta_2)

    def _mean_statistic(self, eta: Array) -> Array:
        mu, variance = self._usual(eta).values()
        return np.stack([mu, mu**2 + variance], axis=-1)

    def _variance_statistic(self, eta: Array) -> Array:
        mu, variance = self._usual(eta).values()
        across = 2 * mu * variance
        rows = [[variance, across], [across, 2 * mu * across + 2 * variance**2]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    def _mean(self, eta: Array) -> Array:
        return self._usual(eta)["mean"]

    def _variance(self, eta: Array) -> Array:
        return self._usual(eta)["variance"]

    def _log_density(self, x: Array, eta: Array) -> Array:
        """-½ [(x - μ)² / σ² + log(2π σ²)]: in η · T(x) - A(η) the squares of x and μ would cancel."""
        mu, variance = self._usual(eta).values()
        with np.errstate(over="ignore"):  # a density of zero
            return -0.5 * (((x - mu) / np.sqrt(variance)) ** 2 + np.log(2 * np.pi) + np.log(variance))

    def _collect(self, x: Array, weight: Array) -> Centred:
        return Centred.of(x, weight)

    def nothing(self, batch: Shape = ()) -> Centred:
        """Statistics of no observation."""
        return Centred(np.zeros(batch), np.zeros(batch), np.zeros(batch))

    def _mle(self, count: Array, mean: Array, scatter: Array) -> Array:
        """μ = mean and σ² = scatter / count."""
        if (constant := scatter <= 0).any():
            raise ValueError(
                f"{self}: the sample is constant{at(constant)}, x = {mean[constant][0]} throughout, so that "
                "the variance is zero and the likelihood has no maximum. Leave it out, or set a least variance."
            )
        return self.natural(mean=mean, variance=scatter / count)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        mu, variance = self._usual(eta).values()
        return mu + np.sqrt(variance) * rng.standard_normal(shape)

    def _in_support(self, x: Array) -> Mask:
        return np.isfinite(x)

    def _in_domain(self, eta: Array) -> Mask:
        return np.isfinite(eta) & (eta[..., 1:] < 0)
