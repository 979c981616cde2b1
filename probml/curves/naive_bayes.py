"""Naive Bayes for a batch of training subsets: the batched twins of models of `probml.naive_bayes`."""

from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_number, require_prior, require_squares
from probml.curves.scores import LinearScores, NormalScores
from probml.curves.subsets import Fit, Subsets, class_means, log_prior
from probml.errors import ParameterError
from probml.generative.gaussian import SMALLEST_VARIANCE
from probml.typing import Array


@dataclass(frozen=True)
class BernoulliNB:
    r"""The batched twin of `probml.naive_bayes.BernoulliNB`.

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

    def fit(self, subsets: Subsets) -> Fit:
        """Of the log odds, log p(x_n = 1) - log p(x_n = 0) is the coefficient, the rest the intercept."""
        N = subsets.class_count
        present = subsets.members @ subsets.X
        log_present = np.log(present + self.alpha)
        log_absent = np.log(N[:, :, None] - present + self.alpha)
        total = np.log(N + 2 * self.alpha)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        intercept = prior + log_absent.sum(axis=2) - present.shape[2] * total
        return Fit({"": LinearScores.of_classes(log_present - log_absent, intercept)})


@dataclass(frozen=True)
class GaussianNB:
    """x_n | y = k ~ Normal(mu_kn, s2_n) or, with a variance for each class, Normal(mu_kn, s2_kn).

    The batched twin of `probml.naive_bayes.GaussianNB`: estimates of maximum likelihood. A feature that is constant in
    a training subset has the variance 0, which `var_smoothing` times the largest variance of a feature in the
    subset, within and between classes, raises; it is added to all variances, as there. So a subset of one example of
    each class gives the nearest of the two.

    shared_variance : one variance for all classes, with which the log odds are linear in x.
    prior_alpha : pi_k = (N_k + prior_alpha) / (m + K prior_alpha); infinite for a uniform prior.
    """

    shared_variance: bool = True
    var_smoothing: float = 1e-9
    prior_alpha: float = 0.0

    def __post_init__(self) -> None:
        require_number("var_smoothing", self.var_smoothing)
        require_prior(self.prior_alpha)

    def check(self, X: Array, K: int) -> None:
        """Any X whose squares are numbers will do."""
        require_squares(X)

    def fit(self, subsets: Subsets) -> Fit:
        """With a shared variance, (mu_k - centre) / s2 are the coefficients of the scores."""
        N = subsets.class_count
        m = subsets.X.shape[1]
        mean, deviation = class_means(subsets)
        scatter = subsets.members @ deviation**2
        within = scatter.sum(axis=1)
        variance = within[:, None] / m if self.shared_variance else scatter / N[:, :, None]
        variance = variance + self._epsilon(N, mean, within)[:, None, None]
        if (constant := variance < SMALLEST_VARIANCE).any():
            subset, _, n = np.argwhere(constant)[0]
            raise ParameterError(
                f"feature {n} is constant in training subset {subsets.first + subset} of {m} examples, so that its "
                f"variance is 0 (or below {SMALLEST_VARIANCE:.1g}): set var_smoothing > 0 (it is "
                f"{self.var_smoothing!r}), scale it, or leave it out"
            )
        prior = log_prior(N, self.prior_alpha)
        if not self.shared_variance:
            return Fit({"": NormalScores(mean, 1 / np.sqrt(variance), prior - np.log(variance).sum(axis=2) / 2)})
        centre = mean.mean(axis=1, keepdims=True)  # common to all classes: smaller numbers, with less rounding
        coef = (mean - centre) / variance
        return Fit({"": LinearScores.of_classes(coef, prior - (coef * (mean + centre)).sum(axis=2) / 2)})

    def _epsilon(self, N: Array, mean: Array, within: Array) -> Array:
        """var_smoothing times the largest variance over all examples, shape (B,)."""
        apart = mean - mean[:, :1]
        share = N[:, :, None] / N.sum(axis=1)[:, None, None]
        apart = apart - (share * apart).sum(axis=1, keepdims=True)
        between = (share * apart**2).sum(axis=1)
        largest: Array = (within / N.sum(axis=1)[:, None] + between).max(axis=1)
        return self.var_smoothing * largest
