"""The loss of a generalised linear model: any family of responses with any link."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import kl_div

from probml.families import Bernoulli, ExponentialFamily, Gamma, Gaussian, Poisson
from probml.losses.base import Loss
from probml.losses.links import Identity, Inverse, Link, Log, Logit
from probml.losses.special import Elementwise, gammaln, logit
from probml.typing import Array, Mask


class Likelihood(NamedTuple):
    """l(y, z), its slope and Fisher's information as functions of a link, y and z (`GLMLoss`)."""

    value: Callable[[Link, Array, Array], Array]
    gradient: Callable[[Link, Array, Array], Array]
    curvature: Callable[[Link, Array], Array]


class MeanForm(NamedTuple):
    """A family with its mean μ as the parameter: p(y | μ) = h(y) exp((y θ(μ) - A(μ)) / dispersion).

    unit_deviance : 2 log p(y | y) / p(y | μ) for dispersion 1, as a function of y and μ.
    log_base : log h(y) for dispersion 1.
    limits : what all means lie between; near to one, a mean may be rounded to it.
    likelihood : A - y θ and what follows from it, written so that a mean near the end of its range loses no digits.
    """

    theta: Elementwise
    partition: Elementwise
    variance: Elementwise
    unit_deviance: Callable[[Array, Array], Array]
    log_base: Elementwise
    is_response: Callable[[Array], Mask]
    is_mean: Callable[[Array], Mask]
    limits: tuple[float, float]
    responses: str
    canonical: Link
    free_dispersion: bool
    likelihood: Likelihood


def _times(y: Array, x: Array) -> Array:
    """y x, and 0 for y = 0 also where x is infinite."""
    return np.where(y == 0, 0.0, y * x)


MEAN_FORMS: dict[type[ExponentialFamily], MeanForm] = {
    Gaussian: MeanForm(
        theta=lambda mu: mu,
        partition=lambda mu: mu**2 / 2,
        variance=np.ones_like,
        unit_deviance=lambda y, mu: (y - mu) ** 2,
        log_base=lambda y: -(y**2) / 2 - np.log(2 * np.pi) / 2,
        is_response=np.isfinite,
        is_mean=np.isfinite,
        limits=(-np.inf, np.inf),
        responses="finite numbers",
        canonical=Identity(),
        free_dispersion=True,
        likelihood=Likelihood(
            value=lambda link, y, z: link.inverse(z) * (link.inverse(z) / 2 - y),
            gradient=lambda link, y, z: (link.inverse(z) - y) * link.derivative(z),
            curvature=lambda link, z: link.derivative(z) ** 2,
        ),
    ),
    Bernoulli: MeanForm(
        theta=logit,
        partition=lambda mu: -np.log1p(-mu),
        variance=lambda mu: mu * (1 - mu),
        unit_deviance=lambda y, mu: 2 * np.maximum(kl_div(y, mu) + kl_div(1 - y, 1 - mu), 0.0),
        log_base=np.zeros_like,
        is_response=lambda y: (y >= 0) & (y <= 1),
        is_mean=lambda mu: (mu > 0) & (mu < 1),
        limits=(0.0, 1.0),
        responses="0 or 1, or shares between (with the numbers of trials as weights)",
        canonical=Logit(),
        free_dispersion=False,
        likelihood=Likelihood(
            value=lambda link, y, z: -_times(y, link.log_inverse(z)) - _times(1 - y, link.log_complement(z)),
            gradient=lambda link, y, z: (
                -_times(y, link.log_derivative(z)) - _times(1 - y, link.log_complement_derivative(z))
            ),
            curvature=lambda link, z: _times(link.log_derivative(z), -link.log_complement_derivative(z)),
        ),
    ),
    Poisson: MeanForm(
        theta=np.log,
        partition=lambda mu: mu,
        variance=lambda mu: mu,
        unit_deviance=lambda y, mu: 2 * np.maximum(kl_div(y, mu), 0.0),
        log_base=lambda y: -gammaln(y + 1),
        is_response=lambda y: (y >= 0) & (y < np.inf),
        is_mean=lambda mu: (mu > 0) & (mu < np.inf),
        limits=(0.0, np.inf),
        responses="counts 0, 1, 2, ..., or rates of at least 0 (with exposures as weights)",
        canonical=Log(),
        free_dispersion=False,
        likelihood=Likelihood(
            value=lambda link, y, z: link.inverse(z) - _times(y, link.log_inverse(z)),
            gradient=lambda link, y, z: link.derivative(z) - _times(y, link.log_derivative(z)),
            curvature=lambda link, z: link.derivative(z) * link.log_derivative(z),
        ),
    ),
    Gamma: MeanForm(
        theta=lambda mu: -1 / mu,
        partition=np.log,
        variance=lambda mu: mu**2,
        unit_deviance=lambda y, mu: 2 * np.maximum((y - mu) / mu - np.log(y / mu), 0.0),
        log_base=np.zeros_like,
        is_response=lambda y: (y > 0) & (y < np.inf),
        is_mean=lambda mu: (mu > 0) & (mu < np.inf),
        limits=(0.0, np.inf),
        responses="numbers above 0",
        canonical=Inverse(),
        free_dispersion=True,
        likelihood=Likelihood(
            value=lambda link, y, z: link.log_inverse(z) + y / link.inverse(z),
            gradient=lambda link, y, z: link.log_derivative(z) * (1 - y / link.inverse(z)),
            curvature=lambda link, z: link.log_derivative(z) ** 2,
        ),
    ),
}


@dataclass(frozen=True)
class GLMLoss(Loss):
    r"""l(y, z) = A(μ) - y θ(μ) with μ = g^-1(z): -log p(y | μ) less what does not depend on μ, for dispersion 1.

    .. math::
        l' = \frac{\mu - y}{V(\mu)} \frac{d\mu}{dz}, \quad
        \mathrm{curvature} = E[l''] = \frac{1}{V(\mu)} \left(\frac{d\mu}{dz}\right)^2

    with V(μ) the variance of y; the curvature is Fisher's information. With the canonical link θ(μ) = z, so that
    l' = μ - y and the curvature is l'' itself; for other links l may not be convex, and Newton's method with this
    curvature is Fisher's scoring. Where z gives no mean, l is inf.
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
    def responses(self) -> str:
        """What y may be, in words."""
        return self.form.responses

    @property
    def convex(self) -> bool:
        """Whether the link is the canonical one: then l is."""
        return self.link == self.form.canonical

    @property
    def curvature_bound(self) -> float:
        """That of the losses which these are with their canonical links; inf for all others."""
        known = {Gaussian: 1.0, Bernoulli: 0.25}
        return known.get(type(self.family), np.inf) if self.convex else np.inf

    @property
    def self_concordance(self) -> float:
        """That of the losses which these are with their canonical links; inf for all others."""
        known = {Gaussian: 0.0, Bernoulli: 1.0, Poisson: 1.0}
        return known.get(type(self.family), np.inf) if self.convex else np.inf

    def value(self, y: Array, z: Array) -> Array:
        """A(μ) - y θ(μ); inf where z gives no mean."""
        return self._where_mean(z, self.form.likelihood.value, y, z, otherwise=np.inf)

    def gradient(self, y: Array, z: Array) -> Array:
        """(μ - y) / V(μ) · dμ/dz; 0 where z gives no mean."""
        return self._where_mean(z, self.form.likelihood.gradient, y, z, otherwise=0.0)

    def curvature(self, y: Array, z: Array) -> Array:
        """(dμ/dz)² / V(μ); 0 where z gives no mean."""
        return self._where_mean(z, self.form.likelihood.curvature, z, otherwise=0.0)

    def _where_mean(self, z: Array, function: Callable[..., Array], *arguments: Array, otherwise: float) -> Array:
        low, high = self.form.limits
        with np.errstate(all="ignore"):  # outside of the range of the link, logarithms and quotients have no value
            mu = self.link.inverse(z)
            return np.where((mu >= low) & (mu <= high), function(self.link, *arguments), otherwise)

    def _valid(self, y: Array) -> Mask:
        return self.form.is_response(y)
