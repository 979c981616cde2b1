"""The Poisson loss: -log likelihood of counts with the log rate z, and of rates without a likelihood."""

import numpy as np

from probml.losses.base import Loss
from probml.typing import Array, Mask


class PoissonLoss(Loss):
    r"""-log p(y | rate e^z), less log y!.

    .. math::
        l(y, z) = e^z - y z, \quad l' = e^z - y, \quad l'' = l''' = e^z

    Its minimum needs E[y] = e^z only: y may be any numbers of at least 0.
    """

    self_concordance = 1.0
    responses = "counts 0, 1, 2, ..., or rates of at least 0"

    def value(self, y: Array, z: Array) -> Array:
        """e^z - y z; inf where e^z is."""
        with np.errstate(over="ignore"):
            return np.exp(z) - y * z

    def gradient(self, y: Array, z: Array) -> Array:
        """e^z - y."""
        return self.curvature(y, z) - y

    def curvature(self, y: Array, z: Array) -> Array:
        """e^z."""
        with np.errstate(over="ignore"):
            return np.exp(z)

    def value_and_gradient(self, y: Array, z: Array) -> tuple[Array, Array]:
        """Both from one exponential."""
        return self.all(y, z)[:2]

    def all(self, y: Array, z: Array) -> tuple[Array, Array, Array]:
        """All three from one exponential."""
        rate = self.curvature(y, z)
        return rate - y * z, rate - y, rate

    def _valid(self, y: Array) -> Mask:
        return (y >= 0) & (y < np.inf)
