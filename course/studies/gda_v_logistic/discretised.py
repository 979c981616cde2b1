"""Discretised naive Bayes for a batch of training subsets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves.checks import require_number, require_whole
from probml.curves.subsets import Fit, Subsets, log_prior
from probml.typing import Array


@dataclass(frozen=True)
class BinScores:
    """Sums over the features of what the bin of each says.

    edges : inner edges of the bins, infinite where there are fewer, shape (B, n, bins - 1).
    value : log p(bin | class), shape (B, K, n, bins). prior : log prior, shape (B, K).
    """

    edges: Array
    value: Array
    prior: Array

    def of(self, D: Array, some: slice) -> Array:
        """Scores of rows D, shape (u, n), by the bins of each subset."""
        at = _bins(D[None], self.edges[some])
        scores = np.repeat(self.prior[some][:, :, None], len(D), axis=2)
        for n in range(D.shape[1]):
            scores += np.take_along_axis(self.value[some, :, n], at[:, None, :, n], axis=2)
        if scores.shape[1] == 2:
            scores = scores[:, 1:] - scores[:, :1]
        return scores

    def rounding(self, largest: Array) -> Array:
        """Ties are not looked for."""
        return np.zeros((len(self.prior), 1))

    def width(self, n: int) -> int:
        """Comparisons with the edges, bins, scores."""
        return (self.edges.shape[2] + 2) * n + 2 * self.prior.shape[1]


@dataclass(frozen=True)
class DiscretisedNB:
    """`Discretiser(bins)` by quantiles, then `CategoricalNB(alpha)`: edges from each training subset, and from it only.

    p(x_n in bin c | y = k) = (N_knc + alpha) / (N_k + k_n alpha), with k_n the number of bins of feature n; the prior
    is not smoothed.
    """

    bins: int = 5
    alpha: float = 1.0

    def __post_init__(self) -> None:
        require_whole("bins", self.bins, 2)
        require_number("alpha", self.alpha, positive=True)

    def check(self, X: Array, K: int) -> None:
        """Any finite X will do."""

    def fit(self, subsets: Subsets) -> Fit:
        """All subsets at once."""
        edges = np.moveaxis(np.quantile(subsets.X, np.arange(1, self.bins) / self.bins, axis=1), 0, 2)
        # An edge at the smallest value cuts off nothing, and one that is there already nothing more.
        useless = edges <= np.concatenate([subsets.X.min(axis=1)[:, :, None], edges[:, :, :-1]], axis=2)
        edges = np.sort(np.where(useless, np.inf, edges), axis=2)
        number = np.isfinite(edges).sum(axis=2) + 1
        events = _bins(subsets.X, edges)[..., None] == np.arange(self.bins)
        B, m, n = subsets.X.shape
        count = (subsets.members @ events.reshape(B, m, -1)).reshape(B, subsets.K, n, self.bins)
        total = subsets.class_count[:, :, None] + number[:, None, :] * self.alpha
        value = np.log(count + self.alpha) - np.log(total)[..., None]
        return Fit({"": BinScores(edges, value, log_prior(subsets.class_count, 0.0))})


def _bins(X: Array, edges: Array) -> NDArray[np.intp]:
    """Edges at or below each number of X, shape (B or 1, u, n): shape (B, u, n)."""
    return (X[..., None] >= edges[:, None]).sum(axis=-1)
