"""Documents in which words come in bursts, with the exact posterior."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Array = NDArray[np.float64]


class BurstyClasses(NamedTuple):
    """Two classes, equally likely. A document draws word probabilities θ ~ Dirichlet(a_j), then L words from θ.

        log p(x | j) = log Γ(A_j) / Γ(A_j + L) + sum_n log Γ(x_n + a_jn) / Γ(a_jn) + const,   A_j = sum_n a_jn

    a : shape (2, n). The larger the a_jn, the nearer to the multinomial model with probabilities a_jn / A_j.
    """

    a: Array

    @classmethod
    def drawn(cls, n: int, apart: float, concentration: float, rng: np.random.Generator) -> "BurstyClasses":
        """Shares of n words, log-normal, that differ between the classes by `apart` (standard deviation of the log)."""
        logs = rng.normal(size=n) + apart * rng.normal(size=(2, n))
        beta = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
        return cls(concentration * beta)

    def draw(self, m: int, length: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
        """Counts of m documents of `length` words, shape (m, n), and their classes, shape (m,)."""
        y = rng.integers(2, size=m)
        g = rng.standard_gamma(self.a[y])  # a Dirichlet vector is gamma variables divided by their sum
        return rng.multinomial(length, g / g.sum(axis=1, keepdims=True)).astype(np.float64), y

    def log_odds(self, X: Array) -> Array:
        """log p(1 | x) - log p(0 | x), exactly. X : whole numbers. Shape (m,).

        Γ(a + x) / Γ(a) = a (a + 1) ... (a + x - 1), and few counts x occur: the logarithms are added up once for all.
        """
        counts, length = X.astype(np.intp), X.sum(axis=1)
        rising = np.log(self.a[:, :, None] + np.arange(counts.max(initial=0))).cumsum(axis=2)
        rising = np.concatenate([np.zeros((*self.a.shape, 1)), rising], axis=2)  # shape (2, n, largest count + 1)
        words = np.array([of_class[np.arange(X.shape[1]), counts].sum(axis=1) for of_class in rising])
        total = self.a.sum(axis=1)[:, None]
        joint = words + gammaln(total) - gammaln(total + length)
        return joint[1] - joint[0]

    def naive_log_odds(self, X: Array) -> Array:
        """The same by the multinomial model with the true mean probabilities. Shape (m,)."""
        beta = self.a / self.a.sum(axis=1, keepdims=True)
        return X @ (np.log(beta[1]) - np.log(beta[0]))
