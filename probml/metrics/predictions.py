"""How many predictions are right, and which classes are taken for which."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.inputs import labels_to_compare, require_same_kind
from probml.metrics.inputs import codes, same_length


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """Fraction of examples whose class is predicted."""
    y, predicted = same_length(labels_to_compare(y), labels_to_compare(predicted, "predicted"))
    require_same_kind(y, predicted, "predicted")
    return float(np.mean(y == predicted))


def confusion_matrix(y: ArrayLike, predicted: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Counts of (true class, predicted class), shape (K, K), for classes coded 0 to K - 1."""
    y, predicted = codes(y, n_classes), codes(predicted, n_classes)
    same_length(y, predicted)
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (y, predicted), 1)
    return counts
