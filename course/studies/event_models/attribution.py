"""Which change makes the difference? The difference in accuracy, divided among the changes in every order."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from course.studies.event_models.pieces import CHANGES, Changes

Array = NDArray[np.float64]
Order = tuple[str, ...]


def in_each_order(value: Mapping[Changes, Array]) -> dict[Order, dict[str, Array]]:
    """What each change adds when it is made in its turn, for the six orders of the three changes.

    value : of the model with each set of changes, arrays of one shape. The additions of an order sum to the difference
    between all changes and none.
    """
    return {
        order: {
            change: value[frozenset(order[: place + 1])] - value[frozenset(order[:place])]
            for place, change in enumerate(order)
        }
        for order in permutations(CHANGES)
    }


def average_over_orders(value: Mapping[Changes, Array]) -> dict[str, Array]:
    """The mean over the six orders: Shapley's value of each change."""
    added = in_each_order(value)
    return {change: np.mean([of_order[change] for of_order in added.values()], axis=0) for change in CHANGES}
