"""Where to put the threshold when a ham that is stopped costs more than a spam that gets through."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.resampled import resampled_interval
from course.studies.spam.held_out import log_odds, scores
from course.studies.spam.splits import Rows, in_training_words
from probml.linear_model import LogisticRegression
from probml.metrics import operating_point, roc_curve, threshold_for_costs
from probml.naive_bayes import MultinomialNB

Array = NDArray[np.float64]
INNER_FOLDS = 5  # of a training part, for log odds to calibrate on


def platt(h: Array, y: NDArray[np.intp]) -> tuple[float, float]:
    """Slope a and intercept b of Platt scaling: log odds a h + b under which the labels are most probable."""
    regression = LogisticRegression().fit(h[:, None], y)
    a, b = float(regression.coef_.ravel()[0]), float(np.ravel(regression.intercept_)[0])
    if a <= 0:
        raise ValueError(f"the log odds h speak against spam, slope {a:.3g}: is y 1 for spam?")
    return a, b


class Thresholds(NamedTuple):
    """Thresholds on the log odds h, by three rules."""

    believed: float
    calibrated: float
    tried: float


def thresholds(h: Array, y: NDArray[np.intp], cost: float) -> Thresholds:
    """Thresholds for a ham whose loss costs `cost` times a spam let through, from held-out log odds h and their labels.

    believed : log cost, right if h are the true log odds.
    calibrated : where the log odds of Platt scaling are log cost.
    tried : the threshold of least cost on the held-out messages themselves.
    """
    believed = threshold_for_costs(cost, 1.0)
    a, b = platt(h, y)
    best = operating_point(roc_curve(y, h), float(np.mean(y)), cost, 1.0)
    return Thresholds(believed, (believed - b) / a, best.threshold)


def mean_cost(h: Array, y: NDArray[np.intp], threshold: float, cost: float) -> float:
    """Cost per message: `cost` for each ham with h >= threshold, 1 for each spam below it."""
    stopped = h >= threshold
    return float(np.mean(np.where(y == 1, ~stopped, cost * stopped)))


class Judged(NamedTuple):
    """On J splits: the calibrated filter beside the one that believes its log odds.

    slope, intercept : of Platt scaling, learned within the training part. Shape (J,).
    log_loss : on the test part, before and after Platt scaling. Shape (J, 2).
    cost, ham_stopped, spam_passed : cost per message, hams stopped and spams let through, for each cost and rule.
        Shape (J, costs, 3).
    """

    slope: Array
    intercept: Array
    log_loss: Array
    cost: Array
    ham_stopped: Array
    spam_passed: Array


def judge(
    X: sparse.csr_array,
    y: NDArray[np.intp],
    alpha: float,
    parts: Sequence[tuple[Rows, Rows]],
    costs: Sequence[float],
    rng: np.random.Generator,
) -> Judged:
    """Learn, calibrate and choose thresholds on each training part, and measure on the test part."""
    found = []
    for train, test in parts:
        A, B = in_training_words(X, train, test)
        held_out = scores(A, y[train], alpha, INNER_FOLDS, rng)
        h = log_odds(MultinomialNB(alpha=alpha).fit(A, y[train]), B)
        a, b = platt(held_out, y[train])
        versions = h, a * h + b
        losses = [np.mean(np.logaddexp(0, z) - y[test] * z) for z in versions]
        at = [thresholds(held_out, y[train], cost) for cost in costs]
        cost = [[mean_cost(h, y[test], t, c) for t in rules] for c, rules in zip(costs, at, strict=True)]
        stopped = [[np.sum(h[y[test] == 0] >= t) for t in rules] for rules in at]
        passed = [[np.sum(h[y[test] == 1] < t) for t in rules] for rules in at]
        found.append((a, b, losses, cost, stopped, passed))
    return Judged(*(np.array(column, dtype=np.float64) for column in zip(*found, strict=True)))


def summary(judged: Judged, costs: Sequence[float], train: int, test: int) -> list[list[str]]:
    """Rows of a table: each measure by the three rules, and how much Platt scaling saves, with its interval."""
    measures = [("log loss", judged.log_loss, 3)]
    for k, cost in enumerate(costs):
        measures.append((f"cost {cost:g}: hams stopped", judged.ham_stopped[:, k], 2))
        measures.append((f"cost {cost:g}: spams let through", judged.spam_passed[:, k], 2))
        measures.append((f"cost {cost:g}: total for 1,000 messages", 1000 * judged.cost[:, k], 1))
    rows = []
    for name, values, digits in measures:
        means = [f"{mean:.{digits}f}" for mean in values.mean(axis=0)]
        saved, half = resampled_interval(values[:, 0] - values[:, 1], train, test)
        rows.append(
            [name, *means, *[""] * (3 - len(means)), f"{saved:+.{digits}f} ± {half:.{digits}f}".replace("-", "−")]
        )
    return rows
