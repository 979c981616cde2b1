"""The gamma family: positive numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.polynomial import polyval
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln, polygamma

from probml.families.base import ExponentialFamily, Shape
from probml.families.checks import at, require_positive
from probml.families.newton import root
from probml.families.poisson import log_poisson
from probml.typing import Array, Mask

TINY = np.finfo(float).smallest_subnormal  # in place of draws that underflow to 0


@dataclass(frozen=True)
class Gamma(ExponentialFamily):
    r"""Numbers x > 0, with shape a and rate b.

    .. math::
        & p(x \mid a, b) = \frac{b^a x^{a - 1} e^{-b x}}{\Gamma(a)} = h(x) \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta = (a, -b), \quad T(x) = (\log x, x), \quad h(x) = \frac{1}{x}, \quad
        A(\eta) = \log \Gamma(a) - a \log b \\
        & \nabla A(\eta) = \left(\psi(a) - \log b, \frac{a}{b}\right), \quad \nabla^2 A(\eta) = \begin{pmatrix}
        \psi'(a) & 1 / b \\ 1 / b & a / b^2 \end{pmatrix}

    With h(x) = 1 instead, η_1 would be a - 1, in which a small shape drowns.
    """

    n_natural = 2
    support = "a finite number above 0"
    domain = "eta_1 above 0, eta_2 below 0, both finite"

    def natural(self, *, shape: ArrayLike, rate: ArrayLike) -> Array:
        """η = (a, -b), shape (*batch, 2)."""
        shape, rate = require_positive("shape", shape), require_positive("rate", rate)
        return np.stack(np.broadcast_arrays(shape, -rate), axis=-1)

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"shape": eta[..., 0], "rate": -eta[..., 1]}

    def _statistic(self, x: Array) -> Array:
        return np.stack([np.log(x), x], axis=-1)

    def _log_base(self, x: Array) -> Array:
        return -np.log(x)

    def _log_partition(self, eta: Array) -> Array:
        a, b = self._usual(eta).values()
        return gammaln(a) - a * np.log(b)

    def _mean_statistic(self, eta: Array) -> Array:
        a, b = self._usual(eta).values()
        return np.stack([digamma(a) - np.log(b), a / b], axis=-1)

    def _variance_statistic(self, eta: Array) -> Array:
        a, b = self._usual(eta).values()
        return np.stack([np.stack([polygamma(1, a), 1 / b], -1), np.stack([1 / b, a / b / b], -1)], -2)

    def _mean(self, eta: Array) -> Array:
        a, b = self._usual(eta).values()
        return a / b

    def _variance(self, eta: Array) -> Array:
        a, b = self._usual(eta).values()
        return a / b / b  # the square of a small b may be zero

    def _log_density(self, x: Array, eta: Array) -> Array:
        """p(x | a, b) = (a / x) (b x)^a e^(-b x) / Γ(a + 1): a Poisson term with rate b x at a, safe for large a."""
        a, b = self._usual(eta).values()
        return log_poisson(a, np.log(b) + np.log(x)) + np.log(a) - np.log(x)

    def _mle(self, count: Array, total: Array) -> Array:
        """b = a / mean(x), and a solves log a - ψ(a) = s = log mean(x) - mean(log x).

        Solved for u = log a as log(log a - ψ(a)) = log s, which is nearly a straight line of slope -1.
        """
        mean_log, mean = np.moveaxis(total / count[..., None], -1, 0)
        s = np.log(mean) - mean_log
        # s ≥ 0, and 0 only for a constant sample; below this bound it is rounding.
        if (constant := s <= 64 * np.finfo(float).eps * np.maximum(np.abs(mean_log), 1.0)).any():
            raise ValueError(
                f"{self}: the sample is constant{at(constant)}, x = {mean[constant][0]} throughout, so that the "
                "likelihood grows with the shape without bound and has no maximum"
            )

        def equation(u: Array) -> tuple[Array, Array]:
            a = np.exp(u)
            gap, slope = digamma_gap(a)
            return np.log(gap) - np.log(s), a * slope / gap

        # 1 / (2a) < log a - ψ(a) < 1 / a, and the lower bound is reached up to rounding for large a.
        a = np.exp(root(equation, -np.log(3 * s), -np.log(s)))
        return self.natural(shape=a, rate=a / mean)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        a, b = self._usual(eta).values()
        return np.maximum(np.exp(log_standard_gamma(a, rng, shape) - np.log(b)), TINY)

    def _in_support(self, x: Array) -> Mask:
        return (x > 0) & (x < np.inf)

    def _in_domain(self, eta: Array) -> Mask:
        return np.isfinite(eta) & (eta[..., :1] > 0) & (eta[..., 1:] < 0)


def digamma_gap(a: Array) -> tuple[Array, Array]:
    """log a - ψ(a) and its derivative 1 / a - ψ'(a); for large a by their series 1 / (2a) + 1 / (12a²) - ..."""
    large = np.maximum(a, 15.0)
    series = np.array([1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12])
    order = 2 * np.arange(1, 8)
    gap = 1 / (2 * large) + polyval(large**-2, series) / large**2
    slope = -1 / (2 * large**2) - polyval(large**-2, order * series) / large**3
    return (
        np.where(a < 15, np.log(a) - digamma(a), gap),
        np.where(a < 15, 1 / a - polygamma(1, a), slope),
    )


def log_standard_gamma(a: Array, rng: np.random.Generator, size: Shape) -> Array:
    """Logarithm of draws of Gamma(a, 1), as G U^(1/a) with G from Gamma(a + 1, 1): for small a it would underflow."""
    return np.log(rng.standard_gamma(a + 1, size)) + np.log1p(-rng.random(size)) / a
