"""A cross-entropy as the sum of its two pieces: what no model can change, and how far the model is from the data."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

Array = NDArray[np.float64]


class Pieces(NamedTuple):
    """Means over all examples, in nats.

    entropy : of the classes given x. divergence : Kullback and Leibler's, from the data to the model.
    """

    entropy: float
    divergence: float

    @property
    def cross_entropy(self) -> float:
        """Their sum: mean of -log p(y | x)."""
        return self.entropy + self.divergence


def pieces(counts: NDArray[np.intp], log_p: Array) -> Pieces:
    """Of a model that gives log p(k | x), shape (G, K), to the G values of x at which `counts` were observed."""
    size = counts.sum(axis=1)
    q = counts / size[:, None]
    entropy = size @ entr(q).sum(axis=1) / size.sum()
    cross_entropy = -np.sum(counts * np.where(counts > 0, log_p, 0)) / size.sum()
    return Pieces(float(entropy), float(cross_entropy - entropy))
