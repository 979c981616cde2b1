"""Losses of several classifiers on the same random splits of one data set."""

from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from probml.metrics import accuracy, log_loss

Array = NDArray[np.float64]
Name = TypeVar("Name", bound=Hashable)  # of an entrant


class Model(Protocol):
    """What is asked of a classifier, with classes coded 0 to K - 1."""

    def fit(self, X: Array, y: NDArray[np.intp]) -> "Model":
        """Fit to X, shape (m, n), and classes y, shape (m,)."""

    def predict_log_proba(self, X: Array) -> Array:
        """log p(y = j | x), shape (m, K)."""


class Entrant(NamedTuple):
    """A way to see the examples, X of shape (m, .), and what makes a new model of them."""

    X: Array
    make: Callable[[], Model]


class Losses(NamedTuple):
    """Proportion of errors and mean log loss in nats on the test part of each split, shape (splits,)."""

    error: Array
    log_loss: Array


def held_out(
    entrants: Mapping[Name, Entrant], y: NDArray[np.intp], train: int, test: int, splits: int, seed: int | list[int]
) -> dict[Name, Losses]:
    """Fit every entrant to the same `train` examples, and try it on the same `test` others, `splits` times."""
    if train + test > len(y):
        raise ValueError(f"{train} examples to train and {test} to test are more than the {len(y)} there are")
    rng = np.random.default_rng(seed)
    found: dict[Name, list[tuple[float, float]]] = {name: [] for name in entrants}
    for _ in range(splits):
        order = rng.permutation(len(y))
        own, other = order[:train], order[train : train + test]
        for name, (X, make) in entrants.items():
            log_posterior = make().fit(X[own], y[own]).predict_log_proba(X[other])
            wrong = 1 - accuracy(y[other], log_posterior.argmax(axis=1))
            found[name].append((wrong, log_loss(y[other], log_posterior)))
    return {name: Losses(*np.array(values).T) for name, values in found.items()}
