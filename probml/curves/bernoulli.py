"""Bernoulli naive Bayes for a batch of training parts."""

from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_number, require_prior
from probml.curves.parts import Fit, Parts, log_prior
from probml.curves.scores import LinearScores
from probml.errors import ParameterError
from probml.typing import Array


@dataclass(frozen=True)
class BernoulliNB:
    r"""`probml.naive_bayes.BernoulliNB` of many parts.

    .. math::
        p(x_n = 1 \mid y = k) = \frac{N_{kn} + \alpha}{N_k + 2 \alpha}, \quad \pi_k = \frac{N_k + \alpha}{m + K \alpha}

    X holds 0 and 1. prior_alpha : another smoothing of the prior; 0 is maximum likelihood, infinite a uniform prior.
    """

    alpha: float = 1.0
    prior_alpha: float | None = None

    def __post_init__(self) -> None:
        require_number("alpha", self.alpha, positive=True)
        if self.prior_alpha is not None:
            require_prior(self.prior_alpha)

    def check(self, X: Array, K: int) -> None:
        """Only 0 and 1."""
        if (other := (X != 0) & (X != 1)).any():
            raise ParameterError(
                f"BernoulliNB needs X of 0 and 1, received {X[other][0]:g} in column {np.argwhere(other)[0, 1]}: code "
                "the feature by indicators, or use GaussianNB"
            )

    def fit(self, parts: Parts) -> Fit:
        """All parts at once."""
        N = parts.class_count
        present = parts.members @ parts.X
        log_present = np.log(present + self.alpha)
        log_absent = np.log(N[:, :, None] - present + self.alpha)
        total = np.log(N + 2 * self.alpha)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        intercept = prior + log_absent.sum(axis=2) - present.shape[2] * total
        return Fit({"": LinearScores.of_classes(log_present - log_absent, intercept)})
