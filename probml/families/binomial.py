"""The binomial family: successes in a known number of trials."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, log_expit

from probml.families.base import Shape, draws, require_integer
from probml.families.bernoulli import Bernoulli, Trials
from probml.families.poisson import log_poisson
from probml.typing import Array


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

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x) = log n! - log x! - log (n - x)!."""
        x = self.check(x)
        log_h: Array = gammaln(self.trials + 1) - gammaln(x + 1) - gammaln(self.trials - x + 1)
        return log_h

    def cumulant(self, theta: ArrayLike, order: int = 0) -> Array:
        """n times the cumulant of one trial."""
        return self.trials * Bernoulli().cumulant(theta, order)

    def _log_density(self, x: Array, eta: Array) -> Array:
        """Two Poisson counts with the rates n φ and n (1 - φ), given that their sum is n: safe for large n."""
        n, eta = self.trials, eta[..., 0]
        success = log_poisson(x, np.log(n) + log_expit(eta))
        failure = log_poisson(n - x, np.log(n) + log_expit(-eta))
        return success + failure - log_poisson(n, np.log(n))

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws of a number of successes, shape (*size, *batch)."""
        phi = self.usual(eta)["probability"]
        return rng.binomial(self.trials, phi, draws(size, phi.shape)).astype(np.float64)
