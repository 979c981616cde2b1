"""A batch of training parts of one size."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from probml.typing import Array, Indices


@dataclass(frozen=True)
class Parts:
    """B training parts of m examples with n features, of K classes.

    X : shape (B, m, n). y : classes 0, ..., K - 1, shape (B, m). seed : of the study. first : number of the first part
    among all parts of this size, so that what is random about a part does not depend on its batch.
    """

    X: Array
    y: Indices
    K: int
    seed: int = 0
    first: int = 0

    @cached_property
    def members(self) -> Array:
        """1 where example i is of class k, else 0. Shape (B, K, m)."""
        members: Array = (self.y[:, None, :] == np.arange(self.K)[:, None]).astype(np.float64)
        return members

    @cached_property
    def class_count(self) -> Array:
        """N_k, shape (B, K)."""
        count: Array = self.members.sum(axis=2)
        return count

    def generators(self, which: Indices) -> list[np.random.Generator]:
        """A Generator for each of some parts.

        It is keyed by (seed, m, number of the part, 1); that of the splits has no more than the first two.
        """
        m = self.y.shape[1]
        return [np.random.default_rng([self.seed, m, self.first + int(part), 1]) for part in which]


def log_prior(class_count: Array, alpha: float) -> Array:
    """log (N_k + alpha) / (m + K alpha), shape (B, K): uniform if alpha is infinite."""
    if np.isinf(alpha):
        return np.full_like(class_count, -np.log(class_count.shape[1]))
    total: Array = class_count.sum(axis=1, keepdims=True) + class_count.shape[1] * alpha
    prior: Array = np.log(class_count + alpha) - np.log(total)
    return prior
