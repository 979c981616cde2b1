"""The beta and the Dirichlet family: a probability, and probabilities of K categories."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, digamma, gammaln, logsumexp, polygamma

from probml.families.base import ExponentialFamily, Shape
from probml.families.checks import at, require_integer, require_positive
from probml.families.gamma import TINY, digamma_gap, log_standard_gamma
from probml.families.newton import root
from probml.families.poisson import log_poisson
from probml.typing import Array, Mask

SUM_TOLERANCE = 1e-6  # probabilities of single precision pass


class Concentrations(ExponentialFamily):
    """What the two share: η = α, concentrations of T(x) = log x, shape (*batch, K), with α_0 = sum_c α_c."""

    domain = "finite numbers above 0"

    def _log_base(self, x: Array) -> Array:
        return -self._statistic(x).sum(axis=-1)

    def _mean_statistic(self, eta: Array) -> Array:
        return digamma(eta) - digamma(eta.sum(axis=-1, keepdims=True))

    def _variance_statistic(self, eta: Array) -> Array:
        diagonal = np.eye(self.n_natural, dtype=bool)  # with zeros beside it even where ψ'(α) is infinite
        own, common = polygamma(1, eta), polygamma(1, eta.sum(axis=-1))
        return np.where(diagonal, own[..., None], 0.0) - common[..., None, None]

    def _mle(self, count: Array, total: Array) -> Array:
        """α with ψ(α_c) - ψ(α_0) = g_c, the mean of log x_c.

        Given the precision α_0, each α_c = ψ⁻¹(g_c + ψ(α_0)) follows. So one equation is left for each member of the
        batch,

            f = log(sum_c α_c / α_0) = 0,

        which falls from log K to log S < 0, S = sum_c e^(g_c), and is solved for log α_0. By Jensen's inequality S is
        at most 1, and 1 only for a constant sample.
        """
        mean_log = total / count[..., None]
        log_S = logsumexp(mean_log, axis=-1)
        if (constant := log_S >= -64 * np.finfo(float).eps * np.maximum(-mean_log.min(axis=-1), 1.0)).any():
            raise ValueError(
                f"{self}: the sample is constant{at(constant)}, x = {np.exp(mean_log[constant][0])} throughout, so "
                "that the likelihood grows with the precision without bound and has no maximum"
            )
        one_minus_S = -np.expm1(log_S)

        def components(u: Array) -> Array:
            return inverse_digamma(mean_log + digamma(np.exp(u))[..., None])

        def equation(u: Array) -> tuple[Array, Array]:
            alpha, precision = components(u), np.exp(u)[..., None]
            # With ψ(a) = log a - gap(a), α_c / α_0 = e^(g_c + δ_c), δ_c = gap(α_c) - gap(α_0). For a large precision f
            # is thus the logarithm of 1 plus a difference of two small numbers, which log(sum_c α_c / α_0) would not
            # see.
            delta = digamma_gap(alpha)[0] - digamma_gap(precision)[0]
            added = np.where(
                delta < 1, np.exp(mean_log) * np.expm1(np.minimum(delta, 1.0)), alpha / precision - np.exp(mean_log)
            )
            f = np.log1p(added.sum(axis=-1) - one_minus_S)
            growth = polygamma(1, precision[..., 0]) * np.sum(1 / polygamma(1, alpha), axis=-1)
            return f, precision[..., 0] * growth / alpha.sum(axis=-1) - 1

        # ψ⁻¹(y) < e^y + ½ and ψ(α_0) < log α_0: sum_c α_c < S α_0 + K / 2, which is α_0 at the upper end.
        high = np.log(self.n_natural / (2 * one_minus_S))
        low = high - 1.0
        while (outside := equation(low)[0] <= 0).any():
            low = np.where(outside, low - 1.0, low)
        return components(root(equation, low, high))

    def _log_draws(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        """Logarithms of draws of the Dirichlet distribution: gamma draws, divided by their sum."""
        log_gamma = log_standard_gamma(eta, rng, (*shape, self.n_natural))
        return log_gamma - logsumexp(log_gamma, axis=-1, keepdims=True)

    def _in_domain(self, eta: Array) -> Mask:
        return (eta > 0) & (eta < np.inf)


@dataclass(frozen=True)
class Beta(Concentrations):
    r"""Probabilities 0 < x < 1.

    .. math::
        & p(x \mid a, b) = \frac{x^{a - 1} (1 - x)^{b - 1}}{B(a, b)} = h(x) \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta = (a, b), \quad T(x) = (\log x, \log(1 - x)), \quad h(x) = \frac{1}{x (1 - x)}, \quad
        A(\eta) = \log B(a, b) \\
        & \nabla A(\eta) = (\psi(a) - \psi(a + b), \psi(b) - \psi(a + b)) \\
        & \nabla^2 A(\eta) = \mathrm{diag}(\psi'(a), \psi'(b)) - \psi'(a + b)

    It is the Dirichlet family of (x, 1 - x).
    """

    n_natural = 2
    support = "a number between 0 and 1, both excluded"
    domain = "two finite numbers above 0"

    def natural(self, *, a: ArrayLike, b: ArrayLike) -> Array:
        """η = (a, b), shape (*batch, 2)."""
        return np.stack(np.broadcast_arrays(require_positive("a", a), require_positive("b", b)), axis=-1)

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"a": eta[..., 0], "b": eta[..., 1]}

    def _statistic(self, x: Array) -> Array:
        return np.stack([np.log(x), np.log1p(-x)], axis=-1)

    def _log_partition(self, eta: Array) -> Array:
        return betaln(eta[..., 0], eta[..., 1])

    def _mean(self, eta: Array) -> Array:
        return eta[..., 0] / (eta[..., 0] + eta[..., 1])

    def _variance(self, eta: Array) -> Array:
        """a b / ((a + b)² (a + b + 1))."""
        a, b = self._usual(eta).values()
        return (a / (a + b)) * (b / (a + b)) / (a + b + 1)

    def _log_density(self, x: Array, eta: Array) -> Array:
        return log_dirichlet(self._statistic(x), eta)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        x = np.exp(self._log_draws(eta, rng, shape)[..., 0])
        return np.clip(x, TINY, np.nextafter(1.0, 0.0))  # what rounds to 1 is the nearest number below it

    def _in_support(self, x: Array) -> Mask:
        return (x > 0) & (x < 1)


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

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"concentration": eta}

    def _statistic(self, x: Array) -> Array:
        return np.log(x)

    def _log_partition(self, eta: Array) -> Array:
        return gammaln(eta).sum(axis=-1) - gammaln(eta.sum(axis=-1))

    def _mean(self, eta: Array) -> Array:
        return eta / eta.sum(axis=-1, keepdims=True)

    def _variance(self, eta: Array) -> Array:
        """(diag(m) - m mᵀ) / (α_0 + 1), with m = E[x] = α / α_0."""
        m, precision = self._mean(eta), eta.sum(axis=-1)
        return m[..., None] * (np.eye(self.categories) - m[..., None, :]) / (precision + 1)[..., None, None]

    def _log_density(self, x: Array, eta: Array) -> Array:
        # The Poisson terms take the sum of x as it is; the density does not, so that what rounding left is taken back.
        return log_dirichlet(np.log(x), eta) + eta.sum(axis=-1) * (x.sum(axis=-1) - 1)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        return np.maximum(np.exp(self._log_draws(eta, rng, shape)), TINY)

    def _in_support(self, x: Array) -> Mask:
        if x.shape[-1] != self.categories:
            raise ValueError(f"{self}: x must have the shape (..., {self.categories}), received {x.shape}")
        to_one: Mask = np.isclose(x.sum(axis=-1, keepdims=True), 1, rtol=0, atol=SUM_TOLERANCE)
        return (x > 0) & (x < np.inf) & to_one


def log_dirichlet(log_x: Array, alpha: Array) -> Array:
    """log p(x | α), for log x and α of shape (*batch, K).

    Γ(α) = Γ(α + 1) / α makes it a multinomial probability of the "counts" α, safe for large α:

        Γ(α_0 + 1) prod_c x_c^(α_c) / Γ(α_c + 1)   times   (1 / α_0) prod_c α_c / x_c
    """
    precision = alpha.sum(axis=-1)
    log_precision = np.log(precision)
    counts = log_poisson(alpha, log_precision[..., None] + log_x).sum(axis=-1) - log_poisson(precision, log_precision)
    return counts + (np.log(alpha) - log_x).sum(axis=-1) - log_precision


def inverse_digamma(y: Array) -> Array:
    """ψ⁻¹(y) > 0 by Newton's method from Minka's starting point, which is within a few percent of it."""
    x = np.where(y > -2.22, np.exp(np.minimum(y, 700.0)) + 0.5, -1 / (np.minimum(y, -2.22) - digamma(1)))
    for _ in range(5):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return x
