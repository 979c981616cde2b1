"""The loss of a generalised linear model: any family of responses with any link."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, kl_div

from probml.families import Bernoulli, ExponentialFamily, Gamma, Gaussian, Poisson
from probml.losses.base import Loss
from probml.losses.links import Identity, Inverse, Link, Log, Logit
from probml.typing import Array, Mask


class MeanForm(NamedTuple):
    """A family with its mean μ as the parameter: p(y | μ) = h(y) exp((y θ(μ) - A(μ)) / dispersion).

    value, gradient, curvature : of A - y θ by a link, y and z (`GLMLoss`), written so that a mean near the end of its
        range loses no digits.
    variance : of y, for dispersion 1. unit_deviance : 2 log p(y | y) / p(y | μ). log_base : log h(y).
    limits : what all means lie between; near to one, a mean may be rounded to it.
    """

    value: Callable[[Link, Array, Array], Array]
    gradient: Callable[[Link, Array, Array], Array]
    curvature: Callable[[Link, Array], Array]
    variance: Callable[[Array], Array]
    unit_deviance: Callable[[Array, Array], Array]
    log_base: Callable[[Array], Array]
    limits: tuple[float, float]
    is_response: Callable[[Array], Mask]
    responses: str
    canonical: Link
    free_dispersion: bool

    def is_mean(self, mu: Array) -> Mask:
        """Whether each μ is inside of the limits."""
        return (mu > self.limits[0]) & (mu < self.limits[1])


def _times(y: Array, x: Array) -> Array:
    """y x, and 0 for y = 0 also where x is infinite."""
    return np.where(y == 0, 0.0, y * x)


MEAN_FORMS: dict[type[ExponentialFamily], MeanForm] = {
    Gaussian: MeanForm(
        value=lambda link, y, z: link.inverse(z) * (link.inverse(z) / 2 - y),
        gradient=lambda link, y, z: (link.inverse(z) - y) * link.derivative(z),
        curvature=lambda link, z: link.derivative(z) ** 2,
        variance=np.ones_like,
        unit_deviance=lambda y, mu: (y - mu) ** 2,
        log_base=lambda y: -(y**2) / 2 - np.log(2 * np.pi) / 2,
        limits=(-np.inf, np.inf),
        is_response=np.isfinite,
        responses="finite numbers",
        canonical=Identity(),
        free_dispersion=True,
    ),
    Bernoulli: MeanForm(
        value=lambda link, y, z: -_times(y, link.log_inverse(z)) - _times(1 - y, link.log_complement(z)),
        gradient=lambda link, y, z: (
            -_times(y, link.log_derivative(z)) - _times(1 - y, link.log_complement_derivative(z))
        ),
        curvature=lambda link, z: _times(link.log_derivative(z), -link.log_complement_derivative(z)),
        variance=lambda mu: mu * (1 - mu),
        unit_deviance=lambda y, mu: 2 * np.maximum(kl_div(y, mu) + kl_div(1 - y, 1 - mu), 0.0),
        log_base=np.zeros_like,
        limits=(0.0, 1.0),
        is_response=lambda y: (y >= 0) & (y <= 1),
        responses="0 or 1, or shares between (with the numbers of trials as weights)",
        canonical=Logit(),
        free_dispersion=False,
    ),
    Poisson: MeanForm(
        value=lambda link, y, z: link.inverse(z) - _times(y, link.log_inverse(z)),
        gradient=lambda link, y, z: link.derivative(z) - _times(y, link.log_derivative(z)),
        curvature=lambda link, z: link.derivative(z) * link.log_derivative(z),
        variance=lambda mu: mu,
        unit_deviance=lambda y, mu: 2 * np.maximum(kl_div(y, mu), 0.0),
        log_base=lambda y: -gammaln(y + 1),
        limits=(0.0, np.inf),
        is_response=lambda y: (y >= 0) & (y < np.inf),
        responses="counts 0, 1, 2, ..., or rates of at least 0 (with exposures as weights)",
        canonical=Log(),
        free_dispersion=False,
    ),
    Gamma: MeanForm(
        value=lambda link, y, z: link.log_inverse(z) + y / link.inverse(z),
        gradient=lambda link, y, z: link.log_derivative(z) * (1 - y / link.inverse(z)),
        curvature=lambda link, z: link.log_derivative(z) ** 2,
        variance=lambda mu: mu**2,
        unit_deviance=lambda y, mu: 2 * np.maximum((y - mu) / mu - np.log(y / mu), 0.0),
        log_base=np.zeros_like,
        limits=(0.0, np.inf),
        is_response=lambda y: (y > 0) & (y < np.inf),
        responses="numbers above 0",
        canonical=Inverse(),
        free_dispersion=True,
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
        return self._where_mean(z, self.form.value, y, z, otherwise=np.inf)

    def gradient(self, y: Array, z: Array) -> Array:
        """(μ - y) / V(μ) · dμ/dz; 0 where z gives no mean."""
        return self._where_mean(z, self.form.gradient, y, z, otherwise=0.0)

    def curvature(self, y: Array, z: Array) -> Array:
        """(dμ/dz)² / V(μ); 0 where z gives no mean."""
        return self._where_mean(z, self.form.curvature, z, otherwise=0.0)

    def _where_mean(self, z: Array, function: Callable[..., Array], *arguments: Array, otherwise: float) -> Array:
        low, high = self.form.limits
        with np.errstate(all="ignore"):  # outside of the range of the link, logarithms and quotients have no value
            mu = self.link.inverse(z)
            return np.where((mu >= low) & (mu <= high), function(self.link, *arguments), otherwise)

    def _valid(self, y: Array) -> Mask:
        return self.form.is_response(y)
