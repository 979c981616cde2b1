"""The Dirichlet family: probabilities of K categories."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln, logsumexp, polygamma

from probml.families.base import (
    ExponentialFamily,
    Shape,
    Statistics,
    Totals,
    at,
    draws,
    require_integer,
    require_positive,
)
from probml.families.gamma import digamma_gap, log_standard_gamma
from probml.families.newton import root
from probml.families.poisson import log_poisson
from probml.typing import Array, Mask

SUM_TOLERANCE = 1e-6  # probabilities of single precision pass


class Concentrations(ExponentialFamily):
    """What the beta and the Dirichlet family share: η = α, concentrations of T(x) = log x, with α_0 = sum_c α_c."""

    domain = "finite numbers above 0"

    def mean_statistic(self, eta: ArrayLike) -> Array:
        """E[log x_c] = ψ(α_c) - ψ(α_0), shape (*batch, K)."""
        alpha = self.check_natural(eta)
        expected: Array = digamma(alpha) - digamma(alpha.sum(axis=-1, keepdims=True))
        return expected

    def variance_statistic(self, eta: ArrayLike) -> Array:
        """Cov[log x] = diag(ψ'(α)) - ψ'(α_0), shape (*batch, K, K)."""
        alpha = self.check_natural(eta)
        covariance: Array = diagonal(polygamma(1, alpha)) - polygamma(1, alpha.sum(axis=-1))[..., None, None]
        return covariance

    def mle(self, statistics: Statistics) -> Array:
        """η = α, where E[log x] is the mean of the sample, by `dirichlet_mle`. Shape (*batch, K)."""
        statistics = self._observed(statistics, Totals)
        return dirichlet_mle(statistics.total / statistics.count[..., None], str(self))

    def _in_domain(self, eta: Array) -> Mask:
        inside: Mask = np.all((eta > 0) & (eta < np.inf), axis=-1)
        return inside


@dataclass(frozen=True)
class Dirichlet(Concentrations):
    r"""Distributions over K categories, with α_0 = sum_c α_c.

    .. math::
        & p(x \mid \alpha) = \Gamma(\alpha_0) \prod_c \frac{x_c^{\alpha_c - 1}}{\Gamma(\alpha_c)}
        = h(x) \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta = \alpha, \quad T(x) = \log x, \quad h(x) = \prod_c \frac{1}{x_c}, \quad
        A(\eta) = \sum_c \log \Gamma(\alpha_c) - \log \Gamma(\alpha_0) \\
        & \nabla A(\eta) = \psi(\alpha) - \psi(\alpha_0), \quad
        \nabla^2 A(\eta) = \mathrm{diag}(\psi'(\alpha)) - \psi'(\alpha_0)

    x : positive numbers that sum to 1, shape (*batch, K), K = `categories`. The density is one in x_1, ..., x_(K-1).
    For K = 2 it is the beta family.
    """

    categories: int

    parameters = ("concentration",)
    event_ndim = 1

    def __post_init__(self) -> None:
        require_integer("categories", self.categories, at_least=2)

    @property
    def support(self) -> str:
        """Where x may be, in words."""
        return f"{self.categories} numbers above 0 that sum to 1"

    @property
    def n_natural(self) -> int:
        """K, one for each category."""
        return self.categories

    def natural(self, *, concentration: ArrayLike) -> Array:
        """η = α, shape (*batch, K)."""
        return self.check_natural(require_positive("concentration", concentration))

    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """α = η, shape (*batch, K)."""
        return {"concentration": self.check_natural(eta)}

    def statistic(self, x: ArrayLike) -> Array:
        """T(x) = log x, shape (*batch, K)."""
        return np.log(self.check(x))

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x) = -sum_c log x_c."""
        log_h: Array = -np.log(self.check(x)).sum(axis=-1)
        return log_h

    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η) = sum_c log Γ(α_c) - log Γ(α_0)."""
        alpha = self.check_natural(eta)
        A: Array = gammaln(alpha).sum(axis=-1) - gammaln(alpha.sum(axis=-1))
        return A

    def mean(self, eta: ArrayLike) -> Array:
        """E[x] = m = α / α_0, shape (*batch, K)."""
        alpha = self.check_natural(eta)
        mean: Array = alpha / alpha.sum(axis=-1, keepdims=True)
        return mean

    def variance(self, eta: ArrayLike) -> Array:
        """Cov[x] = (diag(m) - m mᵀ) / (α_0 + 1), shape (*batch, K, K)."""
        m, precision = self.mean(eta), self.check_natural(eta).sum(axis=-1)
        variance: Array = m[..., None] * (np.eye(self.categories) - m[..., None, :]) / (precision + 1)[..., None, None]
        return variance

    def _log_density(self, x: Array, eta: Array) -> Array:
        # The Poisson terms take the sum of x as it is; the density does not, so that what rounding left is taken back.
        log_p: Array = log_dirichlet(np.log(x), eta) + eta.sum(axis=-1) * (x.sum(axis=-1) - 1)
        return log_p

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws, shape (*size, *batch, K). What underflows to 0 is returned as the smallest positive number."""
        alpha = self.check_natural(eta)
        tiny = np.finfo(float).smallest_subnormal
        return np.maximum(np.exp(log_dirichlet_sample(alpha, rng, draws(size, alpha.shape))), tiny)

    def _in_support(self, x: Array) -> Mask:
        if x.shape[-1] != self.categories:
            raise ValueError(f"{self}: x must have the shape (..., {self.categories}), received {x.shape}")
        to_one = np.isclose(x.sum(axis=-1), 1, rtol=0, atol=SUM_TOLERANCE)
        inside: Mask = np.all((x > 0) & (x < np.inf), axis=-1) & to_one
        return inside


def diagonal(values: Array) -> Array:
    """diag(values), shape (*batch, K, K), with zeros beside it even where a value is infinite."""
    return np.where(np.eye(values.shape[-1], dtype=bool), values[..., None], 0.0)


def log_dirichlet(log_x: Array, alpha: Array) -> Array:
    """log p(x | α), for log x and α of shape (*batch, K).

    Γ(α) = Γ(α + 1) / α makes it a multinomial probability of the "counts" α, safe for large α:

        Γ(α_0 + 1) prod_c x_c^(α_c) / Γ(α_c + 1)   times   (1 / α_0) prod_c α_c / x_c
    """
    precision = alpha.sum(axis=-1)
    log_precision = np.log(precision)
    counts = log_poisson(alpha, log_precision[..., None] + log_x).sum(axis=-1) - log_poisson(precision, log_precision)
    log_p: Array = counts + (np.log(alpha) - log_x).sum(axis=-1) - log_precision
    return log_p


def log_dirichlet_sample(alpha: Array, rng: np.random.Generator, size: Shape) -> Array:
    """Logarithms of draws of the Dirichlet distribution: gamma draws, divided by their sum."""
    log_gamma = log_standard_gamma(alpha, rng, size)
    log_x: Array = log_gamma - logsumexp(log_gamma, axis=-1, keepdims=True)
    return log_x


def dirichlet_mle(mean_log: Array, family: str) -> Array:
    """α with ψ(α_c) - ψ(α_0) = g_c, the mean of log x_c, for g of shape (*batch, K).

    Given the precision α_0, each α_c = ψ⁻¹(g_c + ψ(α_0)) follows. So one equation is left for each member of the batch,

        f = log(sum_c α_c / α_0) = 0,

    which falls from log K to log S < 0, S = sum_c e^(g_c), and is solved for log α_0. By Jensen's inequality S is at
    most 1, and 1 only for a constant sample.
    """
    log_S = logsumexp(mean_log, axis=-1)
    if (constant := log_S >= -64 * np.finfo(float).eps * np.maximum(-mean_log.min(axis=-1), 1.0)).any():
        raise ValueError(
            f"{family}: the sample is constant{at(constant)}, x = {np.exp(mean_log[constant][0])} throughout, so that "
            "the likelihood grows with the precision without bound and has no maximum"
        )
    one_minus_S = -np.expm1(log_S)

    def components(u: Array) -> Array:
        return inverse_digamma(mean_log + digamma(np.exp(u))[..., None])

    def equation(u: Array) -> tuple[Array, Array]:
        alpha, precision = components(u), np.exp(u)[..., None]
        # With ψ(a) = log a - gap(a), α_c / α_0 = e^(g_c + δ_c), δ_c = gap(α_c) - gap(α_0). For a large precision f is
        # thus the logarithm of 1 plus a difference of two small numbers, which log(sum_c α_c / α_0) would not see.
        delta = digamma_gap(alpha)[0] - digamma_gap(precision)[0]
        added = np.where(
            delta < 1, np.exp(mean_log) * np.expm1(np.minimum(delta, 1.0)), alpha / precision - np.exp(mean_log)
        )
        f = np.log1p(added.sum(axis=-1) - one_minus_S)
        growth = polygamma(1, precision[..., 0]) * np.sum(1 / polygamma(1, alpha), axis=-1)
        return f, precision[..., 0] * growth / alpha.sum(axis=-1) - 1

    # ψ⁻¹(y) < e^y + ½ and ψ(α_0) < log α_0: sum_c α_c < S α_0 + K / 2, which is α_0 at the upper end.
    high = np.log(mean_log.shape[-1] / (2 * one_minus_S))
    low = high - 1.0
    while (outside := equation(low)[0] <= 0).any():
        low = np.where(outside, low - 1.0, low)
    return components(root(equation, low, high))


def inverse_digamma(y: Array) -> Array:
    """ψ⁻¹(y) > 0 by Newton's method from Minka's starting point, which is within a few percent of it."""
    x = np.where(y > -2.22, np.exp(np.minimum(y, 700.0)) + 0.5, -1 / (np.minimum(y, -2.22) - digamma(1)))
    for _ in range(5):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return x
