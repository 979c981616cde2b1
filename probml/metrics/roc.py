"""The ROC curve: every trade of false against true positives that a threshold on a score can make."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.inputs import labels_to_compare
from probml.metrics.checks import same_length, weights
from probml.typing import Array


@dataclass(frozen=True)
class Roc:
    """Points of the curve, from "never positive" at (0, 0) to "always positive" at (1, 1).

    threshold : the rule of point i says positive where score >= threshold[i]; falling, the first +inf. Float64, to
        which whole scores beyond 2^53 are rounded here, but not where they are ranked.
    auc : area under the curve.
    """

    false_positive_rate: Array
    true_positive_rate: Array
    threshold: Array
    auc: float


def roc_curve(y: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None, *, positive: object = 1) -> Roc:
    """True against false positive rate, one point for each distinct score and one for the threshold +inf.

        true positive rate   P(score >= t | y = positive)
        false positive rate  P(score >= t | y != positive)

    y : labels, shape (m,). score : larger speaks more for `positive`, shape (m,).
    """
    value, positive_weight, negative_weight = _by_score(y, score, sample_weight, positive)
    if value[-1] == np.inf:
        raise ValueError("score has +inf, so that no threshold is above it: score by posteriors instead of log odds")
    true_positives = np.append(0.0, np.cumsum(positive_weight[::-1]))
    false_positives = np.append(0.0, np.cumsum(negative_weight[::-1]))
    return Roc(
        false_positive_rate=false_positives / false_positives[-1],
        true_positive_rate=true_positives / true_positives[-1],
        threshold=np.append(np.inf, value[::-1]),
        auc=_area(positive_weight, negative_weight),
    )


def auc(y: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None, *, positive: object = 1) -> float:
    r"""Area under the ROC curve: how likely a positive example is to score above a negative one.

    .. math::
        \mathrm{AUC} = P(s_+ > s_-) + \tfrac{1}{2} P(s_+ = s_-),

    the statistic of Mann and Whitney, over all pairs of a positive and a negative example, each pair with the product
    of its weights. Only the ranking of the scores counts; ±inf is allowed.
    """
    _, positive_weight, negative_weight = _by_score(y, score, sample_weight, positive)
    return _area(positive_weight, negative_weight)


def _by_score(
    y: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None, positive: object
) -> tuple[NDArray[Any], Array, Array]:
    """Distinct scores, rising, with the weight of the positive and of the negative examples at each."""
    y, score = labels_to_compare(y), np.asarray(score)
    if score.dtype.kind not in "biuf":  # as float64, whole numbers from 2^53 on may be equal though they differ
        score = score.astype(np.float64)
    if np.isnan(score).any():
        raise ValueError(f"score has NaN, first in row {int(np.argmax(np.isnan(score)))}: it cannot be ranked")
    y, score = same_length(y, score)
    weight = weights(sample_weight, len(y))
    used = weight > 0  # an example without weight adds no threshold
    is_positive, weight, score = (y == positive)[used], weight[used], score[used]
    if is_positive.all() or not is_positive.any():
        raise ValueError(
            f"a ROC curve needs positive and negative examples; {int(is_positive.sum())} of {len(is_positive)} labels "
            f"are positive={positive!r}"
        )
    value, group = np.unique(score, return_inverse=True)
    positive_weight = np.asarray(np.bincount(group, weight * is_positive), dtype=np.float64)
    negative_weight = np.asarray(np.bincount(group, weight * ~is_positive), dtype=np.float64)
    return value, positive_weight, negative_weight


def _area(positive_weight: Array, negative_weight: Array) -> float:
    """Every positive example beats the negative weight below it and half of that at its own score.

    Weights of at most 1, scaled by a power of two, have products that neither over- nor underflow, and lose no digit.
    Without weights all terms are multiples of such a power, so that nothing but the division is rounded.
    """
    positive_weight, negative_weight = (np.ldexp(w, -np.frexp(w.max())[1]) for w in (positive_weight, negative_weight))
    below = np.cumsum(negative_weight) - negative_weight
    beaten = np.sum(positive_weight * (below + negative_weight / 2))
    return float(beaten / (positive_weight.sum() * negative_weight.sum()))
