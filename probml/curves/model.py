"""What a model gives the engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from probml.curves.parts import Parts
from probml.curves.scores import Scores
from probml.typing import Array, Mask


@dataclass(frozen=True)
class Fit:
    """A batch of fitted models.

    scores : of each rule for separable parts, by its name; "" for a model without rules.
    separable : whether a part is completely separable, shape (B,). direction_only : names of rules for which scores of
    separable parts have no scale, so that they give classes, but no probabilities.
    """

    scores: Mapping[str, Scores]
    separable: Mask | None = None
    direction_only: tuple[str, ...] = ()


class Model(Protocol):
    """A classifier that is fitted to many training parts at once."""

    def check(self, X: Array, K: int) -> None:
        """Refuse X, shape (N, n), and a number of classes that the model is not for, before any work is done."""

    def fit(self, parts: Parts) -> Fit:
        """Fit to all parts."""
