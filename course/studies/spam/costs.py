"""Where to put the threshold when a lost ham costs more than a spam that comes through."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.linear_model import LogisticRegression
from probml.metrics import operating_point, roc_curve, threshold_for_costs
from probml.naive_bayes import MultinomialNB

Array = NDArray[np.float64]


class Thresholds(NamedTuple):
    """Cuts on the log odds h, by three rules."""

    believed: float
    calibrated: float
    tried: float


def thresholds(h: Array, y: NDArray[np.intp], cost: float) -> Thresholds:
    """Cuts for a lost ham that costs `cost` times a spam let through, from log odds h and labels of a validation part.

    believed : log cost, right if h are the true log odds.
    calibrated : a logistic regression gives the log odds a h + b; the cut is where they are log cost.
    tried : the cut of the least cost on the validation part itself.
    """
    cut = threshold_for_costs(cost, 1.0)
    regression = LogisticRegression().fit(h[:, None], y)
    a, b = float(regression.coef_.ravel()[0]), float(np.ravel(regression.intercept_)[0])
    if a <= 0:
        raise ValueError(f"the log odds h speak against spam, slope {a:.3g}: is y 1 for spam?")
    return Thresholds(cut, (cut - b) / a, operating_point(roc_curve(y, h), float(np.mean(y)), cost, 1.0).threshold)


def costs(h: Array, y: NDArray[np.intp], threshold: float, cost: float) -> Array:
    """Cost of each message: `cost` for ham with h >= threshold, 1 for spam below it. Shape (m,)."""
    called_spam = h >= threshold
    return np.where(y == 1, ~called_spam, cost * called_spam).astype(np.float64)


def out_of_fold(X: sparse.csr_array, y: NDArray[np.intp], alpha: float, fold: NDArray[np.intp]) -> Array:
    """Log likelihood ratio of each message under multinomial naive Bayes learned from the other folds. Shape (m,).

    log p(x | 1) / p(x | 0) = sum_n x_n log(beta_1n / beta_0n), over the words that the other folds hold.
    fold : number of the fold of each message, shape (m,).
    """
    ratio = np.empty(len(y))
    for k in np.unique(fold):
        own, others = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
        known = np.unique(X[others].indices)
        model = MultinomialNB(alpha=alpha).fit(X[others][:, known], y[others])
        ratio[own] = X[own][:, known] @ (model.feature_log_prob_[1] - model.feature_log_prob_[0])
    return ratio


def costs_by_fold(h: Array, y: NDArray[np.intp], cost: float, fold: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cost of each message by the three rules, the thresholds of a fold found on the other folds. Shape (3, m)."""
    found = np.empty((len(Thresholds._fields), len(y)))
    for k in np.unique(fold):
        own = fold == k
        for row, cut in enumerate(thresholds(h[~own], y[~own], cost)):
            found[row, own] = costs(h[own], y[own], cut, cost)
    return found
