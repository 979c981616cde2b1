"""The Bernoulli family: one trial, success or failure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from probml.families.base import (
    OneParameter,
    Shape,
    Statistics,
    Totals,
    draws,
    log,
    require_not_negative,
    require_probability,
)
from probml.typing import Array, Mask


class Trials(OneParameter):
    """What the Bernoulli and the binomial family share: successes in n = `trials` with the probability φ."""

    trials: int

    parameters = ("probability",)
    domain = "a number, -inf or inf"

    def natural(self, *, probability: ArrayLike) -> Array:
        """η = log(φ / (1 - φ)), shape (*batch, 1)."""
        eta: Array = logit(require_probability("probability", probability))[..., None]
        return eta

    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """φ = 1 / (1 + e^-η), shape (*batch)."""
        return {"probability": expit(self.check_natural(eta)[..., 0])}

    def mle(self, statistics: Statistics) -> Array:
        """η = log(successes / failures), shape (*batch, 1)."""
        statistics = self._observed(statistics, Totals)
        success = statistics.total[..., 0]
        failure = np.maximum(self.trials * statistics.count - success, 0.0)  # weights may round to less than nothing
        return (log(success) - log(failure))[..., None]

    def pseudo_counts(self, alpha: ArrayLike) -> Totals:
        """α successes and α failures, 2 α / n observations: φ = (N_1 + α) / (n N + 2 α) with N_1 successes in all."""
        alpha = require_not_negative("alpha", alpha)
        return Totals(2 * alpha / self.trials, alpha[..., None])

    def _in_support(self, x: Array) -> Mask:
        inside: Mask = ((x >= 0) & (x <= self.trials) & (x == np.floor(x))) | np.isnan(x)
        return inside

    def _in_domain(self, eta: Array) -> Mask:
        return ~np.isnan(eta[..., 0])


@dataclass(frozen=True)
class Bernoulli(Trials):
    r"""One trial: x in {0, 1}, with the probability φ of 1.

    .. math::
        & p(x \mid \varphi) = \varphi^x (1 - \varphi)^{1 - x} = \exp(\eta x - A(\eta)) \\
        & \eta = \log \frac{\varphi}{1 - \varphi}, \quad T(x) = x, \quad A(\eta) = \log(1 + e^\eta) \\
        & A'(\eta) = \varphi = \frac{1}{1 + e^{-\eta}}, \quad A''(\eta) = \varphi (1 - \varphi)

    φ = 0 and φ = 1 are allowed: η is then -inf or inf, and the densities 0 and 1.
    """

    trials = 1
    support = "0 or 1"

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x) = 0."""
        return np.zeros_like(self.check(x))

    def cumulant(self, theta: ArrayLike, order: int = 0) -> Array:
        """A = log(1 + e^θ), A' = φ, A'' = φ (1 - φ)."""
        derivative: Array
        match order:
            case 0:
                derivative = np.logaddexp(0.0, theta)
            case 1:
                derivative = expit(theta)
            case 2:
                derivative = expit(theta) * expit(np.negative(theta))
            case _:
                raise ValueError(f"order must be 0, 1 or 2, received {order!r}")
        return derivative

    def _log_density(self, x: Array, eta: Array) -> Array:
        """-log(1 + e^-η) for a success and -log(1 + e^η) for a failure: η x - A(η) would be inf - inf at φ = 1."""
        return -np.logaddexp(0.0, np.where(x == 1, -eta[..., 0], eta[..., 0]))

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws of 0 and 1, shape (*size, *batch)."""
        phi = self.mean(eta)
        return (rng.random(draws(size, phi.shape)) < phi).astype(np.float64)
