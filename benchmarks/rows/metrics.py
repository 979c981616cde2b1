"""Metrics that scikit-learn has, too."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn import calibration
from sklearn import metrics as peer

from benchmarks.row import Row, Side
from benchmarks.rows.estimators import Value
from probml import metrics

CLASSES = 3
SIZES = {"small": 200, "working": 100_000, "large": 1_000_000}


@dataclass(frozen=True)
class Scored:
    """Of three classes: labels, log posteriors, posteriors, the likeliest. Of two: labels and scores."""

    y: NDArray[np.int64]
    log_p: NDArray[np.float64]
    p: NDArray[np.float64]
    predicted: NDArray[np.int64]
    positive: NDArray[np.int64]
    score: NDArray[np.float64]


Run = Callable[[Scored], Value]


def _scored(m: int) -> Callable[[int], Scored]:
    def source(rows: int) -> Scored:
        rng = np.random.default_rng(0)
        z = 2 * rng.standard_normal((min(m, rows), CLASSES))
        y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
        log_p = log_softmax(z, axis=1)
        p = np.exp(log_p)
        return Scored(y, log_p, p, p.argmax(axis=1), (y == 0).astype(np.int64), p[:, 0].copy())

    return source


def _side(name: str, run: Run, package: str | None = None) -> Side:
    def answer(_: Scored, found: Value) -> tuple:
        return tuple(map(np.asarray, found)) if isinstance(found, tuple) else (np.asarray(found),)

    return Side(name, lambda scored: scored, run, answer, package=package)


def _roc(scored: Scored) -> tuple[NDArray, NDArray]:
    found = metrics.roc_curve(scored.positive, scored.score)
    return found.false_positive_rate, found.true_positive_rate


def _calibration(scored: Scored) -> tuple[NDArray, NDArray]:
    found = metrics.calibration_curve(scored.positive, scored.score)
    return found.observed, found.predicted


def _onedal_auc(scored: Scored) -> Value:
    from sklearnex.metrics import roc_auc_score

    return roc_auc_score(scored.positive, scored.score)


METRICS: dict[str, tuple[tuple[str, Run], tuple[str, Run]]] = {
    "accuracy": (
        ("probml.accuracy()", lambda s: metrics.accuracy(s.y, s.predicted)),
        ("sklearn.accuracy_score()", lambda s: peer.accuracy_score(s.y, s.predicted)),
    ),
    "confusion matrix": (
        ("probml.confusion_matrix()", lambda s: metrics.confusion_matrix(s.y, s.predicted, CLASSES)),
        ("sklearn.confusion_matrix()", lambda s: peer.confusion_matrix(s.y, s.predicted)),
    ),
    "log loss": (
        ("probml.log_loss()", lambda s: metrics.log_loss(s.y, s.log_p)),
        ("sklearn.log_loss()", lambda s: peer.log_loss(s.y, s.p)),
    ),
    "Brier score": (
        ("probml.brier()", lambda s: metrics.brier(s.y, s.p)),
        (
            "sklearn.brier_score_loss(scale_by_half=False)",
            lambda s: peer.brier_score_loss(s.y, s.p, scale_by_half=False),
        ),
    ),
    "ROC curve": (
        ("probml.roc_curve()", _roc),
        (
            "sklearn.roc_curve(drop_intermediate=False)",
            lambda s: peer.roc_curve(s.positive, s.score, drop_intermediate=False)[:2],
        ),
    ),
    "area under the ROC curve": (
        ("probml.auc()", lambda s: metrics.auc(s.positive, s.score)),
        ("sklearn.roc_auc_score()", lambda s: peer.roc_auc_score(s.positive, s.score)),
    ),
    "calibration curve": (
        ("probml.calibration_curve()", _calibration),
        (
            "sklearn.calibration_curve(n_bins=10)",
            lambda s: calibration.calibration_curve(s.positive, s.score, n_bins=10),
        ),
    ),
}
MORE = {"area under the ROC curve": (_side("sklearnex.roc_auc_score()", _onedal_auc, "sklearnex"),)}


def _row(work: str, size: str, m: int) -> Row:
    ours, theirs = (_side(*each) for each in METRICS[work])
    name = f"{work.lower().replace(' ', '-')}-{size}-compute"
    peers = (theirs, *MORE.get(work, ()))
    return Row("Metrics", name, work, "compute", _scored(m), lambda s: f"random, {len(s.y):,} examples", ours, peers)


ROWS = tuple(_row(work, size, m) for work in METRICS for size, m in SIZES.items())
