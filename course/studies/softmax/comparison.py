"""Classifiers of the same images, each with one setting that is chosen by cross-validation on the training images."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from course.studies.softmax.one_v_rest import OneVersusRest
from probml.gda import GDA
from probml.linear_model import SoftmaxRegression
from probml.metrics import accuracy, log_loss, reliability
from probml.naive_bayes import GaussianNB

Array = NDArray[np.float64]


class Model(Protocol):
    """What is asked of a classifier, with classes coded 0 to K - 1."""

    def fit(self, X: Array, y: NDArray[np.intp]) -> Self:
        """Fit to X, shape (m, n), and classes y, shape (m,)."""

    def predict_log_proba(self, X: Array) -> Array:
        """log p(y = k | x), shape (m, K)."""


class Part(NamedTuple):
    """X, shape (m, n), and classes y, shape (m,)."""

    X: Array
    y: NDArray[np.intp]


class Scores(NamedTuple):
    """Of probabilities on some part: accuracy, cross-entropy in nats, expected calibration error (ten bins)."""

    accuracy: float
    cross_entropy: float
    calibration_error: float


class Candidate(NamedTuple):
    """A model with one setting. setting : its name. grid : the values that are tried, in increasing order."""

    make: Callable[[float], Model]
    setting: str
    grid: tuple[float, ...]


def softmax_with(l2: float) -> SoftmaxRegression:
    """Softmax regression by the solver that is fastest on images."""
    return SoftmaxRegression(l2=l2, solver="newton-cg", tol=1e-5)


# Six values of each setting, each about three times the last.
PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
SHRINKAGES = (0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
CANDIDATES = {
    "softmax regression": Candidate(softmax_with, "λ", PENALTIES),
    "one-versus-rest": Candidate(OneVersusRest, "λ", PENALTIES),
    "LDA": Candidate(lambda s: GDA(shrinkage=s), "shrinkage", SHRINKAGES),
    "Gaussian naive Bayes": Candidate(
        lambda share: GaussianNB(var_smoothing=share), "variance added", (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
    ),
    "QDA": Candidate(lambda s: GDA(covariance="per-class", shrinkage=s), "shrinkage", SHRINKAGES),
}


def scores(model: Model, part: Part) -> Scores:
    """How good the probabilities of a fitted model are on a part."""
    log_posterior = model.predict_log_proba(part.X)
    return Scores(
        accuracy(part.y, log_posterior.argmax(axis=1)),
        log_loss(part.y, log_posterior),
        reliability(part.y, np.exp(log_posterior)).error,
    )


def cut(X: Array, y: NDArray[np.intp], sizes: Sequence[int], rng: np.random.Generator) -> list[Part]:
    """Parts of these sizes and one of the rest, at random."""
    if sum(sizes) >= len(y):
        raise ValueError(f"parts of {list(sizes)} examples leave nothing of {len(y)}")
    rows = np.split(rng.permutation(len(y)), np.cumsum(sizes))
    return [Part(X[each], y[each]) for each in rows]


class Validated(NamedTuple):
    """Mean scores over the folds for each setting of a grid, shape (settings, 3): on what was fitted, and held out."""

    fitted: Array
    held_out: Array


def cross_validated(candidate: Candidate, train: Part, folds: int) -> Validated:
    """Scores of each setting, fitted without one fold at a time. The examples are in random order already."""
    fold = np.arange(len(train.y)) % folds
    on = np.empty((2, folds, len(candidate.grid), len(Scores._fields)))
    for k in range(folds):
        kept, out = (Part(train.X[rows], train.y[rows]) for rows in (fold != k, fold == k))
        for j, setting in enumerate(candidate.grid):
            model = candidate.make(setting).fit(*kept)
            on[:, k, j] = scores(model, kept), scores(model, out)
    return Validated(*on.mean(axis=1))


@dataclass(frozen=True)
class Outcome:
    """Of one candidate on J cuts of the data. Settings are chosen twice, each time on the training images only.

    for_accuracy, for_probabilities : the settings of the best accuracy and of the least cross-entropy, shape (J,)
    accuracy : on the test images, of the first. shape (J,)
    cross_entropy, calibration_error : on the test images, of the second. shape (J,)
    accuracy_of_second : on the test images, of the second. shape (J,)
    validated : of each cut
    answers, posteriors : the classes of all test images, and the probabilities of the second model
    """

    for_accuracy: Array
    for_probabilities: Array
    accuracy: Array
    cross_entropy: Array
    calibration_error: Array
    accuracy_of_second: Array
    validated: tuple[Validated, ...]
    answers: NDArray[np.intp]
    posteriors: Array


def compare(cuts: Sequence[Sequence[Part]], candidates: Mapping[str, Candidate], folds: int) -> dict[str, Outcome]:
    """What each candidate does on the cuts, each into training images and test images."""
    return {name: _outcome(cuts, candidate, folds) for name, candidate in candidates.items()}


def _outcome(cuts: Sequence[Sequence[Part]], candidate: Candidate, folds: int) -> Outcome:
    validated, chosen, tested, posteriors = [], [], [], []
    for train, test in cuts:
        found = cross_validated(candidate, train, folds)
        best = found.held_out[:, 0].argmax(), found.held_out[:, 1].argmin()
        models = {j: candidate.make(candidate.grid[j]).fit(*train) for j in set(best)}
        validated.append(found)
        chosen.append([candidate.grid[j] for j in best])
        tested.append([scores(models[j], test) for j in best])
        posteriors.append(np.exp(models[best[1]].predict_log_proba(test.X)))
    settings, on_test = np.array(chosen), np.array(tested)  # shapes (J, 2) and (J, 2, 3)
    return Outcome(
        for_accuracy=settings[:, 0],
        for_probabilities=settings[:, 1],
        accuracy=on_test[:, 0, 0],
        cross_entropy=on_test[:, 1, 1],
        calibration_error=on_test[:, 1, 2],
        accuracy_of_second=on_test[:, 1, 0],
        validated=tuple(validated),
        answers=np.concatenate([test.y for _, test in cuts]),
        posteriors=np.vstack(posteriors),
    )
