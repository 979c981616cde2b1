"""The categorical family: one of K values that have no order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, logsumexp, softmax

from probml.families.base import ExponentialFamily, Shape, Totals, log
from probml.families.checks import at, first, is_count, require_integer, require_not_negative, require_probability
from probml.typing import Array, Mask


@dataclass(frozen=True)
class Categories(ExponentialFamily):
    """What the categorical and the multinomial family share: η = log p + constant for K = `categories`."""

    categories: int

    domain = "numbers or -inf, not all -inf"

    def __post_init__(self) -> None:
        require_integer("categories", self.categories, at_least=1)

    @property
    def n_natural(self) -> int:
        """K, one for each category."""
        return self.categories

    def natural(self, *, probabilities: ArrayLike) -> Array:
        """η = log p, shape (*batch, K)."""
        p = require_probability("probabilities", probabilities)
        if p.shape[-1:] != (self.categories,):
            raise ValueError(f"probabilities must have the shape (..., {self.categories}), received {p.shape}")
        if not (sums := np.isclose(p.sum(axis=-1), 1)).all():
            raise ValueError(f"probabilities must sum to 1 along the last axis, received {first(p, ~sums)}")
        return log(p)

    def _usual(self, eta: Array) -> dict[str, Array]:
        return {"probabilities": softmax(eta, axis=-1)}

    def _log_partition(self, eta: Array) -> Array:
        return logsumexp(eta, axis=-1)

    def _mean_statistic(self, eta: Array) -> Array:
        return self._usual(eta)["probabilities"]

    def _variance_statistic(self, eta: Array) -> Array:
        p = self._mean_statistic(eta)
        return p[..., None] * (np.eye(self.categories) - p[..., None, :])

    def _mle(self, count: Array, total: Array) -> Array:
        """p_c = N_c / sum_c' N_c', as η = log p."""
        trials = total.sum(axis=-1, keepdims=True)
        if (empty := trials[..., 0] <= 0).any():
            raise ValueError(f"{self}: all counts are zero{at(empty)}, so that the probabilities are 0/0. Add some.")
        return log(total) - np.log(trials)

    def pseudo_counts(self, alpha: ArrayLike) -> Totals:
        """α of each category, K α in all, each of one trial: p_c = (N_c + α) / (sum_c' N_c' + K α)."""
        alpha = require_not_negative("alpha", alpha)
        return Totals(self.categories * alpha, np.repeat(alpha[..., None], self.categories, axis=-1))

    def _in_domain(self, eta: Array) -> Mask:
        return np.isfinite(eta.max(axis=-1, keepdims=True))


class Categorical(Categories):
    r"""One of K values: x in {0, ..., K - 1}, K = `categories`.

    .. math::
        & p(x \mid p) = p_x = \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta_c = \log p_c + \text{constant}, \quad T_c(x) = 1\{x = c\}, \quad A(\eta) = \log \sum_c e^{\eta_c} \\
        & \nabla A(\eta) = p = \mathrm{softmax}(\eta), \quad \nabla^2 A(\eta) = \mathrm{diag}(p) - p p^T

    This form has one parameter too many: adding a constant to all η_c changes nothing, and ∇²A has rank K - 1.
    The minimal form takes η_c - η_(K-1), c < K - 1, as its K - 1 parameters; for K = 2 it is the Bernoulli family.
    Here the categories are kept alike, and `natural` and `mle` give the η with A(η) = 0, which is log p.
    p_c = 0 is allowed: η_c is then -inf.
    """

    @property
    def support(self) -> str:
        """Where x may be, in words."""
        return f"an integer from 0 to {self.categories - 1}"

    def _statistic(self, x: Array) -> Array:
        return np.where(np.isnan(x[..., None]), np.nan, x[..., None] == np.arange(self.categories))

    def _mean(self, eta: Array) -> Array:
        """Mean of the code as a number, which says something only if the codes are in order."""
        return self._mean_statistic(eta) @ np.arange(self.categories)

    def _variance(self, eta: Array) -> Array:
        p, codes = self._mean_statistic(eta), np.arange(self.categories)
        return np.sum(p * (codes - (p @ codes)[..., None]) ** 2, axis=-1)

    def _log_density(self, x: Array, eta: Array) -> Array:
        """log p_x, looked up: a table for T(x) would be K times as large as x."""
        log_p = log_softmax(eta, axis=-1)
        code = np.nan_to_num(x).astype(np.intp)
        batch = np.broadcast_shapes(code.shape, log_p.shape[:-1])
        table = np.broadcast_to(log_p, (*batch, self.categories))
        return np.take_along_axis(table, np.broadcast_to(code, batch)[..., None], axis=-1)[..., 0]

    def _collect(self, x: Array, weight: Array) -> Totals:
        total = np.stack([np.sum(weight * (x == c), axis=0) for c in range(self.categories)], axis=-1)
        return Totals(weight.sum(axis=0), total)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        """argmax_c η_c + g_c with Gumbel noise g has the distribution p."""
        return np.argmax(eta + rng.gumbel(size=(*shape, self.categories)), axis=-1).astype(np.float64)

    def _in_support(self, x: Array) -> Mask:
        return is_count(x, self.categories - 1)
