"""Means and scatter of each class, for a batch of parts."""

import numpy as np

from probml.curves.parts import Parts
from probml.typing import Array


def class_means(parts: Parts) -> tuple[Array, Array]:
    """Means of each class, shape (B, K, n), and deviations of the examples from that of their own, shape (B, m, n).

    Means are found from deviations from the first example of the class: a constant feature has none, to the last bit.
    """
    b = np.arange(len(parts.X))[:, None]
    first = parts.X[b, parts.members.argmax(axis=2)]
    sums = parts.members @ (parts.X - first[b, parts.y])
    mean = first + sums / parts.class_count[:, :, None]
    return mean, parts.X - mean[b, parts.y]


def variances(parts: Parts, deviation: Array) -> Array:
    """Sums of squares of each feature in each class, shape (B, K, n)."""
    return parts.members @ deviation**2
