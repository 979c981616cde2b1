"""Learning curves: the loss of every split, and what is said of them together."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probml.errors import ParameterError
from probml.typing import Array, Indices


@dataclass(frozen=True)
class Curve:
    """Losses of one model on the test parts of all splits.

    sizes : of the training parts, shape (S,). losses : shape (S, splits).
    """

    sizes: Indices
    losses: Array

    @property
    def mean(self) -> Array:
        """Mean over the splits, shape (S,)."""
        mean: Array = self.losses.mean(axis=1)
        return mean

    @property
    def standard_error(self) -> Array:
        """Of the mean, shape (S,): standard deviation of the splits / √splits.

        Splits are drawn from the same examples, which this takes as given: it says how well the mean over all possible
        splits of these examples is known, not how it would vary with other examples.
        """
        n = self.losses.shape[1]
        if n < 2:
            raise ParameterError("a standard error needs two splits or more")
        error: Array = self.losses.std(axis=1, ddof=1) / np.sqrt(n)
        return error

    def band(self, level: float = 0.95) -> tuple[Array, Array]:
        """Confidence limits of the mean, mean ± z standard errors, each of shape (S,)."""
        z = NormalDist().inv_cdf((1 + _level(level)) / 2)
        return self.mean - z * self.standard_error, self.mean + z * self.standard_error

    def percentiles(self, level: float = 0.95) -> tuple[Array, Array]:
        """Limits between which this share of the splits lies, each of shape (S,)."""
        tail = (1 - _level(level)) / 2
        low, high = np.quantile(self.losses, [tail, 1 - tail], axis=1)
        return low, high

    def bootstrap(self, level: float = 0.95, resamples: int = 1000, seed: int = 0) -> tuple[Array, Array]:
        """Confidence limits of the mean by the percentile bootstrap over splits, each of shape (S,)."""
        tail = (1 - _level(level)) / 2
        rng = np.random.default_rng(seed)
        n = self.losses.shape[1]
        times = rng.multinomial(n, np.full(n, 1 / n), size=resamples) / n
        low, high = np.quantile(times @ self.losses.T, [tail, 1 - tail], axis=0)
        return low, high


@dataclass(frozen=True)
class Curves:
    """Learning curves of several models on the same splits.

    error : share of errors on the test part, a Curve for each model (and rule). log_loss : likewise, if it was asked
    for; NaN for splits whose rule gives classes but no probabilities. separable : share of completely separable
    training parts, shape (S,), of each model that looks for them.
    """

    sizes: Indices
    error: Mapping[str, Curve]
    log_loss: Mapping[str, Curve]
    separable: Mapping[str, Array]

    def table(self) -> dict[str, NDArray[Any]]:
        """Columns of a tidy table, a row for each model and size: model, size, error, standard error."""
        S, names = len(self.sizes), list(self.error)
        return {
            "model": np.repeat(names, S),
            "size": np.tile(self.sizes, len(names)),
            "error": np.concatenate([curve.mean for curve in self.error.values()]),
            "standard error": np.concatenate([curve.standard_error for curve in self.error.values()]),
        }


def _level(level: float) -> float:
    if not 0 < level < 1:
        raise ParameterError(f"level must be between 0 and 1, received {level!r}")
    return level
