"""How sure and how right a classifier is, by the length of a document."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ByLength:
    """Documents in equal parts by length, the shortest first. All arrays have one entry for each part.

    shortest : number of words of the shortest document. confidence : mean of the largest posterior.
    log_loss : mean of -log p(true class | x).
    """

    shortest: Array
    confidence: Array
    accuracy: Array
    log_loss: Array


def by_length(X: sparse.csr_array, y: NDArray[np.intp], log_posterior: Array, n_parts: int = 5) -> ByLength:
    """X : counts, shape (m, n). y : classes coded 0 to K - 1. log_posterior : shape (m, K).

    A document whose length is on the border of two parts belongs to the lower one.
    """
    length = np.asarray(X.sum(axis=1), dtype=float).ravel()
    part = np.searchsorted(np.quantile(length, np.arange(1, n_parts) / n_parts), length)
    confidence = np.exp(log_posterior.max(axis=1))
    right = log_posterior.argmax(axis=1) == y
    loss = -log_posterior[np.arange(len(y)), y]
    parts = [part == k for k in range(n_parts)]
    return ByLength(
        np.array([length[members].min() for members in parts]),
        *(np.array([values[members].mean() for members in parts]) for values in (confidence, right, loss)),
    )
