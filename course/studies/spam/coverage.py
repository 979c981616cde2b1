"""How often intervals over random splits contain the error that they are meant for: a simulation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import t

from course.studies.resampled import resampled_interval

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Simulated:
    """Test errors of filters on J splits of each of many small data sets, and what follows from them.

    errors : shape (sets, J). train, test : messages in the two parts.
    """

    errors: Array
    train: int
    test: int

    @property
    def truth(self) -> float:
        """The expected error of a filter that learns from `train` messages: the mean over all sets and splits."""
        return float(self.errors.mean())

    @property
    def means(self) -> Array:
        """Mean over the splits of each set. Shape (sets,)."""
        return self.errors.mean(axis=1)

    @property
    def usual(self) -> Array:
        """Half the width of the interval that takes the splits for independent. Shape (sets,)."""
        J = self.errors.shape[1]
        return t.ppf(0.975, J - 1) * self.errors.std(axis=1, ddof=1) / np.sqrt(J)

    @property
    def corrected(self) -> Array:
        """Half the width of the corrected interval. Shape (sets,)."""
        return np.array([resampled_interval(values, self.train, self.test)[1] for values in self.errors])

    def covered(self, half: Array) -> NDArray[np.bool_]:
        """Whether mean ± half contains the truth. Shape (sets,)."""
        return np.abs(self.means - self.truth) <= half

    @property
    def correlation(self) -> float:
        """Of the errors on two splits of one set, over all sets: between sets over total variance, pair by pair."""
        J = self.errors.shape[1]
        covariance = np.cov(self.errors.T)
        between = covariance[~np.eye(J, dtype=bool)].mean()
        return float(between / np.trace(covariance) * J)


def simulate(
    X: sparse.csr_array,
    y: NDArray[np.intp],
    alpha: float,
    *,
    sets: int,
    size: int,
    splits: int,
    rng: np.random.Generator,
) -> Simulated:
    """Draw `sets` data sets of `size` messages from all, and test a filter on `splits` random thirds of each.

    The filter is multinomial naive Bayes with the words of the training part; all splits of a set are done at once.
    """
    test = size // 3
    errors = np.empty((sets, splits))
    for k in range(sets):
        rows = rng.choice(len(y), size, replace=False)
        counts = X[rows][:, np.unique(X[rows].indices)].toarray().astype(np.float64)
        in_test = rng.permuted(np.tile(np.arange(size) < test, (splits, 1)), axis=1)
        wrong = log_odds(counts, y[rows], alpha, ~in_test) > 0
        errors[k] = np.mean((wrong != y[rows])[in_test].reshape(splits, test), axis=1)
    return Simulated(errors, size - test, test)


def log_odds(counts: Array, y: NDArray[np.intp], alpha: float, in_train: NDArray[np.bool_]) -> Array:
    """Log odds of all messages under the filter of each split. counts : (m, n); in_train, result : (J, m)."""
    N = np.array([(in_train * (y == j)) @ counts for j in (0, 1)])  # class, split, word
    known = N.sum(axis=0) > 0
    smoothed = (N + alpha) * known
    beta = smoothed / smoothed.sum(axis=2, keepdims=True)
    w = np.log(beta[1], where=known, out=np.zeros_like(beta[1])) - np.log(
        beta[0], where=known, out=np.zeros_like(beta[0])
    )
    pi = (in_train * y).sum(axis=1) / in_train.sum(axis=1)
    return np.log(pi / (1 - pi))[:, None] + w @ counts.T
