"""Two normal classes of which every linear classifier's error is known in closed form, for any number of features."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Shifted:
    """x_j = side · shift + common · u + e_j for j = 1, ..., n;   u, e_j ~ Normal(0, 1), side = ±1 with equal odds.

    So x | side ~ Normal(side · shift · 1, I + common² 1 1^T). The noise u is the same for all features: only without
    it are they independent given the class. Both the Bayes classifier and the limit of naive Bayes decide by the
    sign of sum_j x_j.
    """

    n: int
    shift: float
    common: float = 0.0

    @classmethod
    def spread(cls, n: int, d: float) -> Self:
        """Independent features that share one signal: the more of them, the less each one tells."""
        return cls(n, d / np.sqrt(n))

    @classmethod
    def with_common_noise(cls, n: int, d: float, common: float = 1.0) -> Self:
        """Each feature tells about as much for any n, and the common noise keeps the Bayes error what it is."""
        return cls(n, d * np.sqrt(common**2 + 1 / n), common)

    @property
    def d(self) -> float:
        """Half the distance of the means, in standard deviations of sum_j x_j: the Bayes error is Φ(-d)."""
        return float(self.shift / np.sqrt(self.common**2 + 1 / self.n))

    @property
    def bayes_error(self) -> float:
        """Φ(-d)."""
        return float(ndtr(-self.d))

    def error(self, w: ArrayLike, b: ArrayLike) -> Array:
        """P(sign(w · x + b) ≠ side). w : shape (..., n). b : shape (...)."""
        w, b = np.asarray(w, dtype=np.float64), np.asarray(b, dtype=np.float64)
        total = w.sum(axis=-1)
        deviation = np.sqrt((w**2).sum(axis=-1) + (self.common * total) ** 2)
        return (ndtr(-(self.shift * total + b) / deviation) + ndtr(-(self.shift * total - b) / deviation)) / 2

    @property
    def log_odds_per_feature(self) -> tuple[float, float]:
        """Mean and standard deviation of side · z(x) / n, which is normal.

        z is the log odds of naive Bayes fitted to infinitely many examples: z(x) = 2 shift / (1 + common²) sum_j x_j,
        since each feature has the variance 1 + common².
        """
        slope = 2 * self.shift / (1 + self.common**2)
        return float(slope * self.shift), float(slope * np.sqrt(self.common**2 + 1 / self.n))

    def share_of_small_log_odds(self, tau: ArrayLike) -> Array:
        """G(τ) = P(0 ≤ side · z(x) ≤ τ n), with z as in `log_odds_per_feature`."""
        mean, deviation = self.log_odds_per_feature
        return ndtr((np.asarray(tau) - mean) / deviation) - ndtr(-mean / deviation)

    def draw(self, m: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
        """m / 2 examples of each class: X, shape (m, n), and y in {0, 1}, shape (m,)."""
        y = np.repeat([0, 1], even(m) // 2)
        X = rng.standard_normal((m, self.n)) + self.common * rng.standard_normal((m, 1))
        return X + self.shift * (2 * y[:, None] - 1), y


def even(m: int) -> int:
    """m, if both classes can have half of it."""
    if m < 2 or m % 2:
        raise ValueError(f"both classes have m / 2 examples: m must be even and at least 2, received {m!r}")
    return m
