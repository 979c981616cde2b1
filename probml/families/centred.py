"""Means and scatters of samples: the sufficient statistics of normal distributions.

Sums of x and x² would lose the variance where the mean is large, so that squares are of deviations from the beginning:

    mean = sum_i w_i x_i / N,     scatter = sum_i w_i (x_i - mean)(x_i - mean)ᵀ,     N = sum_i w_i

Two samples are merged by the pairwise update of Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm
for computing sample variances" (1979), with d = mean_b - mean_a and N = N_a + N_b:

    mean = mean_a + d N_b / N,     scatter = scatter_a + scatter_b + d dᵀ N_a N_b / N

`probml.generative.gaussian` has the same statistics class by class, merged by the same function.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from probml.families.base import Statistics, first_present
from probml.typing import Array


@dataclass(frozen=True, eq=False)
class Centred(Statistics):
    """count = sum_i w_i, the weighted mean, and scatter = sum_i w_i (x_i - mean)²; all of shape (*batch)."""

    mean: Array
    scatter: Array

    @classmethod
    def of(cls, x: Array, weight: Array) -> Self:
        """x of shape (m, *batch), with weights of the same shape, 0 where x is missing."""
        with np.errstate(over="ignore", invalid="ignore"):  # refused by name in __post_init__
            count = weight.sum(axis=0)
            mean, deviation, left, shift = deviations(x, weight, count)
            scatter = np.maximum(np.sum(weight * deviation**2, axis=0) - left * shift, 0.0)
        return cls(count, mean, scatter)

    def _plus(self, other: Self) -> Self:
        count, mean, apart = merged(self.count, self.mean, other.count, other.mean)
        return type(self)(count, mean, self.scatter + other.scatter + apart**2)


def merged(count_a: Array, mean_a: Array, count_b: Array, mean_b: Array) -> tuple[Array, Array, Array]:
    """N, mean and d √(N_a N_b / N) of two samples; means of the shape of the counts, or with axes after those."""
    count = count_a + count_b
    proportion = np.divide(count_b, count, out=np.zeros_like(count), where=count > 0)
    d = mean_b - mean_a
    return count, mean_a + d * over(proportion, d), d * over(np.sqrt(count_a * proportion), d)


def deviations(x: Array, weight: Array, count: Array) -> tuple[Array, Array, Array, Array]:
    """The mean of x, deviations from it, what is left of their sum, and that divided by the count.

    In two rounds, since the first mean is rounded: what is left of sum_i w_i (x_i - mean) corrects mean and scatter.
    """
    mean = first_present(x)
    for _ in range(2):
        deviation = np.where(weight > 0, x - mean, 0.0)
        left = np.sum(weight * deviation, axis=0)
        shift = np.divide(left, count, out=np.zeros_like(left), where=count > 0)
        mean = mean + shift
    return np.where(count > 0, mean, 0.0), deviation, left, shift


def outer(x: Array) -> Array:
    """x xᵀ, shape (*batch, d, d)."""
    return x[..., :, None] * x[..., None, :]


def over(count: Array, values: Array) -> Array:
    """Counts of shape (*batch), to be broadcast against values of shape (*batch, ...)."""
    return count.reshape(count.shape + (1,) * (values.ndim - count.ndim))
