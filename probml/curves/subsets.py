"""What a model gets, a batch of training subsets of one size, and what it gives back; estimates that models share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from probml.curves.scores import Scores
from probml.typing import Array, Indices, Mask


@dataclass(frozen=True)
class Subsets:
    """B training subsets of m examples with n features, of K classes.

    X : shape (B, m, n). y : classes 0, ..., K - 1, shape (B, m). seed : of the study. first : number of the first
    among all subsets of this size, so that what is random about a subset does not depend on its batch.
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
        """A Generator for each of some subsets.

        It is keyed by (seed, m, number of the subset, 1); that of the splits has no more than the first two.
        """
        m = self.y.shape[1]
        return [np.random.default_rng([self.seed, m, self.first + int(subset), 1]) for subset in which]


@dataclass(frozen=True)
class Fit:
    """A batch of fitted models.

    scores : of each rule for separable subsets, by its name; "" for a model without rules.
    separable : whether a subset is completely separable, shape (B,). direction_only : names of rules whose scores of
    separable subsets have no scale, so that they give classes, but no probabilities.
    """

    scores: Mapping[str, Scores]
    separable: Mask | None = None
    direction_only: tuple[str, ...] = ()


class Model(Protocol):
    """A classifier that is fitted to many training subsets at once."""

    def check(self, X: Array, K: int) -> None:
        """Refuse X, shape (N, n), and a number of classes that the model is not for, before any work is done."""

    def fit(self, subsets: Subsets) -> Fit:
        """Fit to all subsets."""


def log_prior(class_count: Array, alpha: float) -> Array:
    """log (N_k + alpha) / (m + K alpha), shape (B, K): uniform if alpha is infinite."""
    K = class_count.shape[1]
    if np.isinf(alpha):
        return np.full_like(class_count, -np.log(K))
    prior: Array = np.log(class_count + alpha) - np.log(class_count.sum(axis=1, keepdims=True) + K * alpha)
    return prior


def class_means(subsets: Subsets) -> tuple[Array, Array]:
    """Means of each class, shape (B, K, n), and deviations of the examples from that of their own, shape (B, m, n).

    Means are found from deviations from the first example of the class: a constant feature has none, to the last bit.
    """
    b = np.arange(len(subsets.X))[:, None]
    first = subsets.X[b, subsets.members.argmax(axis=2)]
    sums = subsets.members @ (subsets.X - first[b, subsets.y])
    mean = first + sums / subsets.class_count[:, :, None]
    return mean, subsets.X - mean[b, subsets.y]
