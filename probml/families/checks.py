"""What cannot be a parameter is refused, with its value and its place in the array."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from probml.typing import Array, Mask


def require_positive(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is finite and above 0."""
    return require(name, value, lambda v: np.isfinite(v) & (v > 0), "finite and above 0")


def require_not_negative(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is finite and at least 0."""
    return require(name, value, lambda v: np.isfinite(v) & (v >= 0), "finite and at least 0")


def require_probability(name: str, value: ArrayLike) -> Array:
    """value as an array, if it is between 0 and 1."""
    return require(name, value, lambda v: (v >= 0) & (v <= 1), "between 0 and 1")


def require(name: str, value: ArrayLike, valid: Callable[[Array], Mask], expected: str) -> Array:
    """value as an array, if all of it is valid; what is expected, in words."""
    value = np.asarray(value, dtype=np.float64)
    if not (ok := valid(value)).all():
        raise ValueError(f"{name} must be {expected}, received {first(value, ~ok)}")
    return value


def require_integer(name: str, value: int, at_least: int) -> None:
    """Refuse what cannot be a number of things."""
    if not (isinstance(value, int | np.integer) and value >= at_least):
        raise ValueError(f"{name} must be an integer of at least {at_least}, received {value!r}")


def is_count(x: Array, at_most: float = np.finfo(np.float64).max) -> Mask:
    """Whether each x is an integer from 0 to `at_most`."""
    return (x >= 0) & (x <= at_most) & (x == np.floor(x))


def first(values: Array, bad: Mask) -> str:
    """The first of the values (or vectors) marked as bad, and where it stands."""
    return f"{values[bad][0]}{at(bad)}"


def at(bad: Mask) -> str:
    """Where the first True stands; nothing for a single value."""
    if not bad.ndim:
        return ""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return f" at index {index[0] if len(index) == 1 else index}"
