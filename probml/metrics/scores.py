"""How many predictions are right, and proper scores: what a forecaster minimises by stating honest probabilities."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.inputs import labels_to_compare, require_same_kind
from probml.metrics.checks import codes, log_posteriors, posteriors, same_length, weights
from probml.typing import Array


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """Fraction of examples whose class is predicted."""
    y, predicted = same_length(labels_to_compare(y), labels_to_compare(predicted, "predicted"))
    require_same_kind(y, predicted, "predicted")
    return float(np.mean(y == predicted))


def confusion_matrix(y: ArrayLike, predicted: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Counts of (true class, predicted class), shape (K, K), for classes coded 0 to K - 1."""
    y, predicted = same_length(codes(y, n_classes), codes(predicted, n_classes))
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (y, predicted), 1)
    return counts


def log_loss(y: ArrayLike, log_posterior: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean of -log p(y | x), in nats.

    y : classes coded 0 to K - 1, shape (m,). log_posterior : log p(j | x), shape (m, K).
    Logarithms are asked for so that nothing has to be clipped: p = 1e-400 costs 921, and p = 0 costs inf.
    """
    log_posterior = log_posteriors(log_posterior)
    y, _ = same_length(codes(y, log_posterior.shape[1]), log_posterior[:, 0])
    return _mean(-log_posterior[np.arange(len(y)), y], sample_weight)


def brier(y: ArrayLike, posterior: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean of sum_j (p(j | x) - [y = j])^2, from 0 to 2.

    y : classes coded 0 to K - 1, shape (m,). posterior : p(j | x), shape (m, K).
    This is Brier's own definition. For two classes some write only the term of one class, which is half of it.
    """
    posterior = posteriors(posterior)
    y, _ = same_length(codes(y, posterior.shape[1]), posterior[:, 0])
    return _mean(np.sum((posterior - np.eye(posterior.shape[1])[y]) ** 2, axis=1), sample_weight)


def _mean(loss: Array, sample_weight: ArrayLike | None) -> float:
    """Weighted mean; an example without weight does not count, even where its loss is infinite."""
    if sample_weight is None:
        return float(np.sum(loss) / len(loss))
    weight = weights(sample_weight, len(loss))
    used = weight > 0
    return float(np.sum(weight[used] * loss[used]) / np.sum(weight))
