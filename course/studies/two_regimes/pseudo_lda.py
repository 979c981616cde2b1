"""LDA for training subsets of any size: directions in which a subset has no spread within classes are left out."""

from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_squares
from probml.curves.scores import LinearScores
from probml.curves.subsets import Fit, Subsets, class_means, log_prior
from probml.typing import Array

CONSTANT = 1e-9  # of the range of a feature: a spread within classes that is not above it is rounding
RANK = 1e-4  # singular values of standardised deviations up to this count as 0, as in scikit-learn


@dataclass(frozen=True)
class PseudoLDA:
    """Normal classes with one covariance, of which the pseudo-inverse is taken: scikit-learn's solver "svd".

    Features are divided by their standard deviation within classes before the pseudo-inverse is taken, so that units
    do not matter. A feature that is constant within the classes of a subset has no weight.
    """

    def check(self, X: Array, K: int) -> None:
        """Any X whose squares are numbers will do."""
        require_squares(X)

    def fit(self, subsets: Subsets) -> Fit:
        """All subsets at once."""
        m = subsets.X.shape[1]
        mean, deviation = class_means(subsets)
        spread = np.sqrt((deviation**2).mean(axis=1))
        usable = spread > CONSTANT * np.maximum(np.abs(subsets.X).max(axis=1), np.finfo(float).tiny)
        scale = np.where(usable, 1 / np.where(usable, spread, 1), 0)
        Z = deviation * scale[:, None] / np.sqrt(m)
        _, s, V = np.linalg.svd(Z, full_matrices=False)
        inverse = np.where(s > RANK, 1 / np.where(s > RANK, s, 1), 0)
        root = V.transpose(0, 2, 1) * inverse[:, None]  # n × rank, with Σ⁺ = root rootᵀ
        centre = (subsets.class_count[:, None] @ mean) / m
        whitened = ((mean - centre) * scale[:, None]) @ root
        coef = whitened @ root.transpose(0, 2, 1) * scale[:, None]
        prior = log_prior(subsets.class_count, 0.0)
        intercept = prior - (whitened**2).sum(axis=2) / 2 - (coef * centre).sum(axis=2)
        return Fit({"": LinearScores.of_classes(coef, intercept)})
