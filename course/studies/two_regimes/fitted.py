"""Linear classifiers of scikit-learn as models of `probml.curves`, so that they see the splits of all others."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgWarning
from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning

from probml.curves.scores import LinearScores
from probml.curves.subsets import Fit, Subsets
from probml.typing import Array


@dataclass(frozen=True)
class Fitted:
    """A classifier with `coef_` and `intercept_`, fitted to one training subset after the other."""

    estimator: ClassifierMixin

    def check(self, X: Array, K: int) -> None:
        """Whatever the classifier takes."""

    def fit(self, subsets: Subsets) -> Fit:
        """Subset by subset. That a solver stops early is part of what is compared: its warning is silenced."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", LinAlgWarning)
            found = [clone(self.estimator).fit(X, y) for X, y in zip(subsets.X, subsets.y, strict=True)]
        return Fit({"": LinearScores(np.stack([f.coef_ for f in found]), np.stack([f.intercept_ for f in found]))})
