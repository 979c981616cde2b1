"""One-versus-rest: a logistic regression for each class against all others."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from probml.linear_model import LogisticRegression

Array = NDArray[np.float64]


@dataclass
class OneVersusRest:
    """K logistic regressions with the penalty l2 each; their probabilities are divided by their sum.

    models : those of classes 0 to K - 1, after `fit`
    """

    l2: float = 0.0
    models: list[LogisticRegression] = field(default_factory=list)

    def fit(self, X: Array, y: NDArray[np.intp]) -> Self:
        """Fit to X, shape (m, n), and classes y coded 0 to K - 1, shape (m,)."""
        self.models = [LogisticRegression(l2=self.l2).fit(X, (y == k).astype(int)) for k in range(y.max() + 1)]
        return self

    def log_separate(self, X: Array) -> Array:
        """log σ(z_k), what each regression says on its own; they need not add up to one. Shape (m, K)."""
        return np.column_stack([model.predict_log_proba(X)[:, 1] for model in self.models])

    def predict_log_proba(self, X: Array) -> Array:
        """log of σ(z_k) / sum_l σ(z_l), shape (m, K)."""
        return log_softmax(self.log_separate(X), axis=1)
