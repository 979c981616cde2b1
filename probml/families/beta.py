"""The beta family: a probability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln

from probml.families.base import Shape, draws, require_positive
from probml.families.dirichlet import Concentrations, log_dirichlet, log_dirichlet_sample
from probml.typing import Array, Mask


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

    parameters = ("a", "b")
    n_natural = 2
    support = "a number between 0 and 1, both excluded"
    domain = "two finite numbers above 0"

    def natural(self, *, a: ArrayLike, b: ArrayLike) -> Array:
        """η = (a, b), shape (*batch, 2)."""
        return np.stack(np.broadcast_arrays(require_positive("a", a), require_positive("b", b)), axis=-1)

    def usual(self, eta: ArrayLike) -> dict[str, Array]:
        """a = η_1 and b = η_2, shape (*batch)."""
        eta = self.check_natural(eta)
        return {"a": eta[..., 0], "b": eta[..., 1]}

    def statistic(self, x: ArrayLike) -> Array:
        """T(x) = (log x, log(1 - x)), shape (*batch, 2)."""
        x = self.check(x)
        return np.stack([np.log(x), np.log1p(-x)], axis=-1)

    def log_base(self, x: ArrayLike) -> Array:
        """log h(x) = -log x - log(1 - x)."""
        log_h: Array = -self.statistic(x).sum(axis=-1)
        return log_h

    def log_partition(self, eta: ArrayLike) -> Array:
        """A(η) = log B(a, b)."""
        A: Array = betaln(*self.usual(eta).values())
        return A

    def mean(self, eta: ArrayLike) -> Array:
        """a / (a + b), shape (*batch)."""
        a, b = self.usual(eta).values()
        return a / (a + b)

    def variance(self, eta: ArrayLike) -> Array:
        """a b / ((a + b)² (a + b + 1)), shape (*batch)."""
        a, b = self.usual(eta).values()
        return (a / (a + b)) * (b / (a + b)) / (a + b + 1)

    def _log_density(self, x: Array, eta: Array) -> Array:
        return log_dirichlet(self.statistic(x), eta)

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws, shape (*size, *batch). What rounds to 0 or 1 is returned as the nearest number between them."""
        eta = self.check_natural(eta)
        x = np.exp(log_dirichlet_sample(eta, rng, draws(size, eta.shape))[..., 0])
        return np.clip(x, np.finfo(float).smallest_subnormal, np.nextafter(1.0, 0.0))

    def _in_support(self, x: Array) -> Mask:
        return ((x > 0) & (x < 1)) | np.isnan(x)
