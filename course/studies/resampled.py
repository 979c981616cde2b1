"""Means and their intervals: over independent values, and over repeated random splits of one data set.

Every mean over such splits in the course has the interval that notebooks/25-spam.ipynb derives.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t


class Mean(NamedTuple):
    """mean ± half: the ends of the interval are `low` and `high`."""

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

    def in_points(self) -> str:
        """A difference of proportions, in percentage points."""
        return f"{100 * self.mean:+.1f} ± {100 * self.half:.1f}".replace("-", "−")


def mean_of(values: ArrayLike, *, overlap: float = 0.0, level: float = 0.95) -> Mean:
    """The mean of J values, J at least 2, with t sqrt((1/J + overlap) s²) as half of its interval.

    s² is the variance of the values, t has J - 1 degrees of freedom. overlap : 0 for independent values, such as those
    of test examples that are drawn once; see `resampled_interval` for splits that share their examples.
    """
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"an interval needs at least 2 values, shape (J,), received {values.shape}")
    spread = np.sqrt((1 / len(values) + overlap) * values.var(ddof=1))
    return Mean(float(values.mean()), float(t.ppf((1 + level) / 2, len(values) - 1) * spread))


def resampled_interval(values: ArrayLike, train: int, test: int, level: float = 0.95) -> Mean:
    """The mean over J splits into `train` and `test` examples, and half the width of its interval.

        mean ± t sqrt((1/J + test/train) s²),      s² the variance of the values, t with J - 1 degrees of freedom

    The splits share their examples, so that the values are correlated and more splits do not help without end: the term
    test/train, of Nadeau and Bengio (2003), stands for that. Without it the interval would be far too short.
    """
    if min(train, test) < 1:
        raise ValueError(f"train and test must be numbers of examples, received {train!r} and {test!r}")
    return mean_of(values, overlap=test / train, level=level)
