"""Classifiers of the same images, each with the setting that suits it best, on images held out."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from probml.metrics import accuracy, log_loss, reliability

Array = NDArray[np.float64]


class Model(Protocol):
    """What is asked of a classifier, with classes coded 0 to K - 1."""

    def fit(self, X: Array, y: NDArray[np.intp]) -> "Model":
        """Fit to X, shape (m, n), and classes y, shape (m,)."""

    def predict_log_proba(self, X: Array) -> Array:
        """log p(y = k | x), shape (m, K)."""


M = TypeVar("M", bound=Model)


class Part(NamedTuple):
    """X, shape (m, n), and classes y, shape (m,)."""

    X: Array
    y: NDArray[np.intp]


class Scores(NamedTuple):
    """Of probabilities on some part: accuracy, mean log loss in nats, expected calibration error (ten bins)."""

    accuracy: float
    log_loss: float
    calibration_error: float


def cut(X: Array, y: NDArray[np.intp], sizes: Sequence[int], rng: np.random.Generator) -> list[Part]:
    """Parts of these sizes and one of the rest, at random."""
    if sum(sizes) >= len(y):
        raise ValueError(f"parts of {list(sizes)} examples leave nothing of {len(y)}")
    rows = np.split(rng.permutation(len(y)), np.cumsum(sizes))
    return [Part(X[each], y[each]) for each in rows]


def scores(model: Model, part: Part) -> Scores:
    """How good the probabilities of a fitted model are on a part."""
    log_posterior = model.predict_log_proba(part.X)
    return Scores(
        accuracy(part.y, log_posterior.argmax(axis=1)),
        log_loss(part.y, log_posterior),
        reliability(part.y, np.exp(log_posterior)).error,
    )


def tuned(make: Callable[[float], M], settings: Sequence[float], train: Part, validation: Part) -> tuple[float, M]:
    """The setting whose model, fitted to `train`, has the least log loss on `validation`; and that model."""
    models = [make(setting).fit(train.X, train.y) for setting in settings]
    losses = [scores(model, validation).log_loss for model in models]
    best = int(np.argmin(losses))
    return settings[best], models[best]
