"""The multinomial family: how often each of K values occurred in n trials."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, log_softmax

from probml.families.base import Shape, draws, log
from probml.families.categorical import Categories
from probml.families.checks import first, is_count, require_not_negative
from probml.families.poisson import log_poisson
from probml.typing import Array, Mask


class Multinomial(Categories):
    r"""How often each of K values occurred in n = x_1 + ... + x_K trials.

    .. math::
        & p(x \mid p, n) = \frac{n!}{\prod_c x_c!} \prod_c p_c^{x_c} = h(x) \exp(\eta \cdot x - A(\eta)) \\
        & \eta_c = \log p_c + \text{constant}, \quad T(x) = x, \quad h(x) = \frac{n!}{\prod_c x_c!}, \quad
        A(\eta) = n \log \sum_c e^{\eta_c} \\
        & \nabla A(\eta) = n p, \quad p = \mathrm{softmax}(\eta), \quad
        \nabla^2 A(\eta) = n (\mathrm{diag}(p) - p p^T)

    x : counts, shape (*batch, K), K = `categories`.

    n is no parameter: it is read off x, so that documents of different lengths share one family and one p. Where there
    is no x, in A, the moments and `sample`, it is the argument `trials` (1, unless given, which makes them those of the
    categorical family), a number or an array of shape (*batch). As there, η has one parameter too many, the minimal
    form takes η_c - η_(K-1), and p_c = 0 is allowed.
    """

    event_ndim = 1

    @property
    def support(self) -> str:
        """Where x may be, in words."""
        return f"{self.categories} integers of at least 0"

    def _statistic(self, x: Array) -> Array:
        return x

    def _log_base(self, x: Array) -> Array:
        return gammaln(x.sum(axis=-1) + 1) - gammaln(x + 1).sum(axis=-1)

    def log_partition(self, eta: ArrayLike, trials: ArrayLike = 1) -> Array:
        """A(η) = n log sum_c e^(η_c), shape (*batch)."""
        return _whole(trials) * super().log_partition(eta)

    def mean_statistic(self, eta: ArrayLike, trials: ArrayLike = 1) -> Array:
        """E[x] = n p, shape (*batch, K)."""
        return _whole(trials)[..., None] * super().mean_statistic(eta)

    def variance_statistic(self, eta: ArrayLike, trials: ArrayLike = 1) -> Array:
        """Cov[x] = n (diag(p) - p pᵀ), shape (*batch, K, K)."""
        p = super().mean_statistic(eta)
        return self.mean_statistic(eta, trials)[..., None] * (np.eye(self.categories) - p[..., None, :])

    mean, variance = mean_statistic, variance_statistic

    def _log_density(self, x: Array, eta: Array) -> Array:
        """K Poisson counts with the rates n p_c, given that their sum is n: safe for large n."""
        n = x.sum(axis=-1)
        counts = log_poisson(x, log(n)[..., None] + log_softmax(eta, axis=-1))
        return counts.sum(axis=-1) - log_poisson(n, log(n))

    def sample(self, eta: ArrayLike, rng: np.random.Generator, size: int | Shape = (), trials: ArrayLike = 1) -> Array:
        """Draws of counts, shape (*size, *batch, K)."""
        eta, trials = self.check_natural(eta), _whole(trials)
        return self._sample(eta, rng, draws(size, np.broadcast_shapes(trials.shape, eta.shape[:-1])), trials)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape, trials: ArrayLike = 1) -> Array:
        return rng.multinomial(np.asarray(trials, dtype=np.int64), self._usual(eta)["probabilities"], shape).astype(
            np.float64
        )

    def _in_support(self, x: Array) -> Mask:
        if x.shape[-1] != self.categories:
            raise ValueError(f"{self}: x must have the shape (..., {self.categories}), received {x.shape}")
        return is_count(x)


def _whole(trials: ArrayLike) -> Array:
    """The numbers of trials, if they are whole and not negative."""
    trials = require_not_negative("trials", trials)
    if (part := trials != np.floor(trials)).any():
        raise ValueError(f"trials must be whole numbers, received {first(trials, part)}")
    return trials
