"""The role of the class prior: in a generative classifier it does nothing but move the threshold.

By Bayes' theorem the log posterior odds of two classes with p(y = 1) = theta are

    h(x) = log p(x | 1) / p(x | 0)  +  log theta / (1 - theta)

The likelihood ratio ranks the examples, hence fixes the ROC curve; prior and costs choose a point on it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax

from probml.errors import ZeroEvidenceError
from probml.metrics.checks import SUM_TOLERANCE, log_posteriors
from probml.metrics.roc import Roc
from probml.typing import Array


def shift_prior(log_posterior: ArrayLike, old_prior: ArrayLike, new_prior: ArrayLike) -> Array:
    r"""Log posterior under another class prior, the likelihoods p(x | j) being the same. Shape (m, K).

    .. math::
        p_\mathrm{new}(j \mid x) \propto p_\mathrm{new}(j) \, p(x \mid j)
        \propto p(j \mid x) \, p_\mathrm{new}(j) / p_\mathrm{old}(j)

    log_posterior : shape (m, K). old_prior : the one it was computed with, shape (K,). new_prior : shape (K,).
    A class may get the prior 0. A class that had it cannot come back: its likelihood is not in the posterior.
    """
    log_posterior = log_posteriors(log_posterior)
    K = log_posterior.shape[1]
    old, new = _prior(old_prior, K, "old_prior"), _prior(new_prior, K, "new_prior")
    possible = new > 0
    if (lost := possible & (old == 0)).any():
        raise ValueError(
            f"class {int(np.argmax(lost))} has old_prior 0 and new_prior {new[lost][0]}: its posterior of 0 does not "
            "tell its likelihood; compute the posterior with an old_prior above 0"
        )
    joint = np.full_like(log_posterior, -np.inf)
    joint[:, possible] = log_posterior[:, possible] + np.log(new[possible]) - np.log(old[possible])
    if (impossible := np.isneginf(joint).all(axis=1)).any():
        raise ZeroEvidenceError(
            f"{int(impossible.sum())} of {len(joint)} examples, the first in row {int(np.argmax(impossible))}, have "
            "posterior zero for every class that new_prior allows, so that their new posterior is 0/0"
        )
    shifted: Array = log_softmax(joint, axis=1)
    return shifted


def threshold_for_costs(cost_false_positive: float, cost_false_negative: float) -> float:
    r"""Cut on the log posterior odds h(x) that has the least expected cost.

    To say 1 costs cost_false_positive · p(0 | x), to say 0 costs cost_false_negative · p(1 | x). So 1 is cheaper where

    .. math::
        h(x) = \log \frac{p(1 \mid x)}{p(0 \mid x)} > \log \frac{c_\mathrm{false\ positive}}{c_\mathrm{false\ negative}}

    With p(y = 1) = theta, the cut on the log likelihood ratio is by log(theta / (1 - theta)) less.
    """
    _check_costs(cost_false_positive, cost_false_negative)
    return float(np.log(cost_false_positive) - np.log(cost_false_negative))


@dataclass(frozen=True)
class OperatingPoint:
    """A point of a ROC curve: say positive where score >= threshold. cost : its expected cost for an example."""

    threshold: float
    false_positive_rate: float
    true_positive_rate: float
    cost: float


def operating_point(
    roc: Roc, theta: float, cost_false_positive: float = 1.0, cost_false_negative: float = 1.0
) -> OperatingPoint:
    r"""The point of a ROC curve of least expected cost, where a share theta of the examples is positive.

    .. math::
        c_\mathrm{false\ positive} (1 - \theta) \, \mathrm{FPR} + c_\mathrm{false\ negative} \theta (1 - \mathrm{TPR})

    Points of equal cost lie on lines of slope (1 - theta) cost_false_positive / (theta cost_false_negative); the best
    of them touches the curve from above. Of equally cheap points the one with the fewest positives is returned.
    """
    if not 0 <= theta <= 1:
        raise ValueError(f"theta is the probability of class 1, from 0 to 1; received {theta!r}")
    _check_costs(cost_false_positive, cost_false_negative)
    cost = cost_false_positive * (1 - theta) * roc.false_positive_rate
    cost = cost + cost_false_negative * theta * (1 - roc.true_positive_rate)
    best = int(np.argmin(cost))
    point = (roc.threshold, roc.false_positive_rate, roc.true_positive_rate, cost)
    return OperatingPoint(*(float(values[best]) for values in point))


def _prior(p: ArrayLike, K: int, name: str) -> Array:
    p = np.asarray(p, dtype=np.float64)
    if p.shape != (K,) or not (p >= 0).all() or abs(p.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(f"{name} must be {K} probabilities that sum to one, received {p.tolist()}")
    return p


def _check_costs(cost_false_positive: float, cost_false_negative: float) -> None:
    costs = (cost_false_positive, cost_false_negative)
    if not all(0 < cost < np.inf for cost in costs):
        raise ValueError(f"costs of false positives and false negatives must be positive and finite, received {costs}")
