"""An interval for what is measured on repeated random cuts of one data set."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t


def resampled_interval(values: ArrayLike, train: int, test: int, level: float = 0.95) -> tuple[float, float]:
    """Mean over J cuts into `train` and `test` examples, and half the width of its interval.

        mean ± t sqrt((1/J + test/train) s²),      s² the variance of the values, t with J - 1 degrees of freedom

    The cuts share their examples, so that the values are correlated and more cuts do not help without end: the term
    test/train, of Nadeau and Bengio (2003), stands for that. Without it the interval would be far too short.
    """
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"an interval needs the values of at least 2 cuts, shape (J,), received {values.shape}")
    if min(train, test) < 1:
        raise ValueError(f"train and test must be numbers of examples, received {train!r} and {test!r}")
    spread = np.sqrt((1 / len(values) + test / train) * values.var(ddof=1))
    return float(values.mean()), float(t.ppf((1 + level) / 2, len(values) - 1) * spread)
