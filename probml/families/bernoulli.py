"""The Bernoulli and the binomial family: successes in one trial, and in a known number of trials."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln, log_expit, logit

from probml.families.base import OneParameter, Shape, Totals, log
from probml.families.checks import is_count, require_integer, require_not_negative, require_probability
from probml.families.poisson import log_poisson
from probml.typing import Array, Mask


class Trials(OneParameter):
    """What the two share: successes in n = `trials` with the probability φ."""

    trials: int

    domain = "a number, -inf or inf"

    def natural(self, *, probability: ArrayLike) -> Array:
        """η = log(φ / (1 - φ)), shape (*batch, 1)."""
        return logit(require_probability("probability", probability))[..., None]

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"probability": expit(eta[..., 0])}

    def cumulants(self, theta: ArrayLike) -> tuple[Array, Array, Array]:
        """A = n log(1 + e^θ), A' = n φ and A'' = n φ (1 - φ)."""
        n, phi = self.trials, expit(theta)
        return n * np.logaddexp(0.0, theta), n * phi, n * (phi * expit(np.negative(theta)))

    def _mle(self, count: Array, total: Array) -> Array:
        """η = log(successes / failures)."""
        success = total[..., 0]
        failure = np.maximum(self.trials * count - success, 0.0)  # weights may round to less than nothing
        return (log(success) - log(failure))[..., None]

    def pseudo_counts(self, alpha: ArrayLike) -> Totals:
        """α successes and α failures, 2 α / n observations: φ = (N_1 + α) / (n N + 2 α) with N_1 successes in all."""
        alpha = require_not_negative("alpha", alpha)
        return Totals(2 * alpha / self.trials, alpha[..., None])

    def _in_support(self, x: Array) -> Mask:
        return is_count(x, self.trials)

    def _in_domain(self, eta: Array) -> Mask:
        return ~np.isnan(eta)


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

    def _log_density(self, x: Array, eta: Array) -> Array:
        """-log(1 + e^-η) for a success and -log(1 + e^η) for a failure: η x - A(η) would be inf - inf at φ = 1."""
        return -np.logaddexp(0.0, np.where(x == 1, -eta[..., 0], eta[..., 0]))

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        return (rng.random(shape) < self._mean(eta)).astype(np.float64)


@dataclass(frozen=True)
class Binomial(Trials):
    r"""Successes in n trials: x in {0, ..., n}, n = `trials`, with the probability φ of each.

    .. math::
        & p(x \mid \varphi) = \binom{n}{x} \varphi^x (1 - \varphi)^{n - x} = h(x) \exp(\eta x - A(\eta)) \\
        & \eta = \log \frac{\varphi}{1 - \varphi}, \quad T(x) = x, \quad h(x) = \binom{n}{x}, \quad
        A(\eta) = n \log(1 + e^\eta) \\
        & A'(\eta) = n \varphi, \quad A''(\eta) = n \varphi (1 - \varphi)

    φ = 0 and φ = 1 are allowed: η is then -inf or inf. With n = 1 it is the Bernoulli family.
    """

    trials: int

    def __post_init__(self) -> None:
        require_integer("trials", self.trials, at_least=1)

    @property
    def support(self) -> str:
        """Where x may be, in words."""
        return f"an integer from 0 to {self.trials}"

    def _log_base(self, x: Array) -> Array:
        return gammaln(self.trials + 1) - gammaln(x + 1) - gammaln(self.trials - x + 1)

    def _log_density(self, x: Array, eta: Array) -> Array:
        """Two Poisson counts with the rates n φ and n (1 - φ), given that their sum is n: safe for large n."""
        n, eta = self.trials, eta[..., 0]
        success = log_poisson(x, np.log(n) + log_expit(eta))
        failure = log_poisson(n - x, np.log(n) + log_expit(-eta))
        return success + failure - log_poisson(n, np.log(n))

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        return rng.binomial(self.trials, expit(eta[..., 0]), shape).astype(np.float64)
