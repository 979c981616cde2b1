"""The loss of a generalised linear model: any family of answers with any link."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logit, xlogy

from probml.families import Bernoulli, ExponentialFamily, Gamma, Gaussian, Poisson
from probml.losses.base import Array, Loss
from probml.losses.links import Identity, Inverse, Link, Log, Logit

Function = Callable[[Array], Array]


class MeanForm(NamedTuple):
    """A family with its mean μ as the parameter: p(y | μ) = h(y) exp((y θ(μ) - A(μ)) / dispersion).

    unit_deviance : 2 log p(y | y) / p(y | μ) for dispersion 1, as a function of y and μ.
    log_base : log h(y) for dispersion 1.
    """

    theta: Function
    partition: Function
    variance: Function
    unit_deviance: Callable[[Array, Array], Array]
    log_base: Function
    is_answer: Function
    is_mean: Function
    answers: str
    canonical: Link
    free_dispersion: bool


MEAN_FORMS: dict[type[ExponentialFamily], MeanForm] = {
    Gaussian: MeanForm(
        theta=lambda mu: mu,
        partition=lambda mu: mu**2 / 2,
        variance=np.ones_like,
        unit_deviance=lambda y, mu: (y - mu) ** 2,
        log_base=lambda y: -(y**2) / 2 - np.log(2 * np.pi) / 2,
        is_answer=np.isfinite,
        is_mean=np.isfinite,
        answers="finite numbers",
        canonical=Identity(),
        free_dispersion=True,
    ),
    Bernoulli: MeanForm(
        theta=logit,
        partition=lambda mu: -np.log1p(-mu),
        variance=lambda mu: mu * (1 - mu),
        unit_deviance=lambda y, mu: 2 * (xlogy(y, y / mu) + xlogy(1 - y, (1 - y) / (1 - mu))),
        log_base=np.zeros_like,
        is_answer=lambda y: (y >= 0) & (y <= 1),
        is_mean=lambda mu: (mu > 0) & (mu < 1),
        answers="0 or 1, or shares between (with the numbers of trials as weights)",
        canonical=Logit(),
        free_dispersion=False,
    ),
    Poisson: MeanForm(
        theta=np.log,
        partition=lambda mu: mu,
        variance=lambda mu: mu,
        unit_deviance=lambda y, mu: 2 * (xlogy(y, y / mu) - (y - mu)),
        log_base=lambda y: -gammaln(y + 1),
        is_answer=lambda y: (y >= 0) & (y < np.inf) & (y == np.floor(y)),
        is_mean=lambda mu: (mu > 0) & (mu < np.inf),
        answers="counts 0, 1, 2, ...",
        canonical=Log(),
        free_dispersion=False,
    ),
    Gamma: MeanForm(
        theta=lambda mu: -1 / mu,
        partition=np.log,
        variance=lambda mu: mu**2,
        unit_deviance=lambda y, mu: 2 * (-np.log(y / mu) + (y - mu) / mu),
        log_base=np.zeros_like,
        is_answer=lambda y: (y > 0) & (y < np.inf),
        is_mean=lambda mu: (mu > 0) & (mu < np.inf),
        answers="numbers above 0",
        canonical=Inverse(),
        free_dispersion=True,
    ),
}


@dataclass(frozen=True)
class GLMLoss(Loss):
    """l(y, z) = A(μ) - y θ(μ) with μ = g^-1(z): -log p(y | μ) less what does not depend on μ, for dispersion 1.

        l' = (μ - y) / V(μ) · dμ/dz             V(μ) the variance of y
        curvature = (dμ/dz)² / V(μ)             the mean of l'' over y: Fisher's information

    With the canonical link θ(μ) = z, so that l' = μ - y and the curvature is l'' itself; for other links l may not be
    convex, and Newton's method with this curvature is Fisher's scoring. Where z gives no mean, l is inf.
    """

    family: ExponentialFamily
    link: Link

    @cached_property
    def form(self) -> MeanForm:
        """The family with its mean as parameter."""
        if type(self.family) not in MEAN_FORMS:
            known = ", ".join(f"{family.__name__}()" for family in MEAN_FORMS)
            raise ValueError(f"a GLM needs one of the families {known}; received {self.family!r}")
        return MEAN_FORMS[type(self.family)]

    @property
    def answers(self) -> str:
        """What y may be, in words."""
        return self.form.answers

    def value(self, y: Array, z: Array) -> Array:
        """A(μ) - y θ(μ); inf where z gives no mean."""
        mu = self.link.inverse(z)
        mean = self.form.is_mean(mu)
        mu = np.where(mean, mu, 0.5)
        return np.where(mean, self.form.partition(mu) - y * self.form.theta(mu), np.inf)

    def gradient(self, y: Array, z: Array) -> Array:
        """(μ - y) / V(μ) · dμ/dz."""
        mu = self.link.inverse(z)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num((mu - y) / self.form.variance(mu) * self.link.derivative(z))

    def curvature(self, y: Array, z: Array) -> Array:
        """(dμ/dz)² / V(μ)."""
        mu = self.link.inverse(z)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(self.link.derivative(z) ** 2 / self.form.variance(mu))

    def _valid(self, y: Array) -> NDArray[np.bool_]:
        return self.form.is_answer(y)
