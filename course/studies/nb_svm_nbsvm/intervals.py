"""A mean over few random splits, and how well it is known."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t


class Mean(NamedTuple):
    """mean ± half: Student's interval of the mean of independent draws."""

    mean: float
    half: float

    @property
    def low(self) -> float:
        """Lower end."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + self.half

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half:.1f}"


def mean_of(values: ArrayLike, level: float = 0.99) -> Mean:
    """The mean of at least two values, shape (draws,), with its interval."""
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"an interval needs at least two values, received the shape {values.shape}")
    half = t.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return Mean(float(values.mean()), float(half))
