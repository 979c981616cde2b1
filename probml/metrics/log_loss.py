"""Proper scores: what a forecaster minimises by stating honest probabilities."""

import numpy as np
from numpy.typing import ArrayLike

from probml.metrics.inputs import codes, log_posteriors, posteriors, same_length, weights
from probml.typing import Array


def log_loss(y: ArrayLike, log_posterior: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean of -log p(y | x), in nats.

    y : classes coded 0 to K - 1, shape (m,). log_posterior : log p(j | x), shape (m, K).
    Logarithms are asked for so that nothing has to be clipped: p = 1e-400 costs 921, and p = 0 costs inf.
    """
    log_posterior = log_posteriors(log_posterior)
    y = codes(y, log_posterior.shape[1])
    same_length(y, log_posterior[:, 0])
    return _mean(-log_posterior[np.arange(len(y)), y], sample_weight)


def brier(y: ArrayLike, posterior: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean of sum_j (p(j | x) - [y = j])^2, from 0 to 2.

    y : classes coded 0 to K - 1, shape (m,). posterior : p(j | x), shape (m, K).
    This is Brier's own definition. For two classes some write only the term of one class, which is half of it.
    """
    posterior = posteriors(posterior)
    y = codes(y, posterior.shape[1])
    same_length(y, posterior[:, 0])
    return _mean(np.sum((posterior - np.eye(posterior.shape[1])[y]) ** 2, axis=1), sample_weight)


def _mean(loss: Array, sample_weight: ArrayLike | None) -> float:
    """Weighted mean; an example without weight does not count, even where its loss is infinite."""
    weight = weights(sample_weight, len(loss))
    used = weight > 0
    return float(np.sum(weight[used] * loss[used]) / np.sum(weight))
