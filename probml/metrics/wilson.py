"""An interval for a probability that was observed as a share."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from probml.typing import Array


def wilson_interval(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Array, Array]:
    r"""Lower and upper end of Wilson's interval for a binomial probability.

    All p that a score test does not reject: |k/n - p| <= z sqrt(p (1 - p) / n). Solved for p:

    .. math::
        \frac{k + z^2 / 2 \pm z \sqrt{k (n - k) / n + z^2 / 4}}{n + z^2}

    with z the (1 + level) / 2 quantile of the standard normal distribution.
    It stays within [0, 1] and has a positive width at k = 0 and k = n. successes, n : numbers or arrays of one shape.
    """
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not ((n > 0) & (k >= 0) & (k <= n)).all():
        raise ValueError(f"expected 0 <= successes <= n and n > 0, received {k.tolist()} of {n.tolist()}")
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as 0.95, received {level!r}")
    z = ndtri((1 + level) / 2)
    middle, half = k + z**2 / 2, z * np.sqrt(k * (n - k) / n + z**2 / 4)
    return np.clip((middle - half) / (n + z**2), 0, 1), np.clip((middle + half) / (n + z**2), 0, 1)
