"""Naive Bayes for a batch of training subsets: the models of `probml.naive_bayes`, all parts at once."""

from dataclasses import dataclass

import numpy as np

from probml.compiled import compiled
from probml.curves.checks import require_number, require_prior, require_squares
from probml.curves.parts import Fit, Parts, class_means, log_prior
from probml.curves.scores import LinearScores, NormalScores
from probml.errors import ParameterError
from probml.generative.gaussian import SMALLEST_VARIANCE
from probml.typing import Array, Indices


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
        _require_smoothing(self.alpha, self.prior_alpha)

    def check(self, X: Array, K: int) -> None:
        """Only 0 and 1."""
        if (other := (X != 0) & (X != 1)).any():
            raise ParameterError(
                f"BernoulliNB needs X of 0 and 1, received {X[other][0]:g} in column {np.argwhere(other)[0, 1]}: code "
                "the feature by indicators, or use GaussianNB"
            )

    def fit(self, parts: Parts) -> Fit:
        """Of the log odds, log p(x_n = 1) - log p(x_n = 0) is the coefficient, the rest the intercept."""
        N = parts.class_count
        present = parts.members @ parts.X
        log_present = np.log(present + self.alpha)
        log_absent = np.log(N[:, :, None] - present + self.alpha)
        total = np.log(N + 2 * self.alpha)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        intercept = prior + log_absent.sum(axis=2) - present.shape[2] * total
        return Fit({"": LinearScores.of_classes(log_present - log_absent, intercept)})


@dataclass(frozen=True)
class CategoricalNB:
    r"""`probml.naive_bayes.CategoricalNB` of many parts.

    .. math::
        p(x_n = c \mid y = k) = \frac{N_{knc} + \alpha}{N_k + k_n \alpha}, \quad
        \pi_k = \frac{N_k + \alpha}{m + K \alpha}

    X holds whole numbers 0, ..., k_n - 1 that name categories. categories : k_n for each feature; a part may lack some.
    prior_alpha : as of `BernoulliNB`.
    """

    categories: tuple[int, ...]
    alpha: float = 1.0
    prior_alpha: float | None = None

    def __post_init__(self) -> None:
        _require_smoothing(self.alpha, self.prior_alpha)

    def check(self, X: Array, K: int) -> None:
        """Whole numbers below the number of categories."""
        if len(self.categories) != X.shape[1]:
            raise ParameterError(f"categories is for {len(self.categories)} features, but X has {X.shape[1]}")
        other = (X < 0) | (X >= np.array(self.categories)) | (X != np.floor(X))
        if other.any():
            n = np.argwhere(other)[0, 1]
            raise ParameterError(
                f"CategoricalNB needs whole numbers from 0 to {self.categories[n] - 1} in column {n}, received "
                f"{X[other][0]:g}: number the categories, or give more of them"
            )

    def fit(self, parts: Parts) -> Fit:
        """Linear in indicators of the categories: log p(x_n = c | y = k) is the coefficient."""
        N = parts.class_count
        B, m, n = parts.X.shape
        events = _indicators(parts.X.reshape(B * m, n), self.categories).reshape(B, m, -1)
        k = np.array(self.categories)
        total = np.log(N[:, :, None] + k * self.alpha)
        coef = np.log(parts.members @ events + self.alpha) - np.repeat(total, k, axis=2)
        prior = log_prior(N, self.alpha if self.prior_alpha is None else self.prior_alpha)
        linear = LinearScores.of_classes(coef, prior)
        return Fit({"": CategoryScores(linear.coef, linear.intercept, self.categories)})


@dataclass(frozen=True)
class CategoryScores(LinearScores):
    """Linear scores of indicators: one for each category of each feature. categories : k_n, shape (n,)."""

    categories: tuple[int, ...]

    def of(self, D: Array, some: slice) -> Array:
        """Scores of rows of categories, shape (u, n): sums of coefficients, one for each feature."""
        first = np.cumsum((0, *self.categories[:-1]))
        columns = np.ascontiguousarray(D.T, dtype=np.intp) + first[:, None]
        return _sums(self.coef[some], columns) + self.intercept[some][:, :, None]

    def rounding(self, largest: Array) -> Array:
        """As for any linear scores, of indicators."""
        return super().rounding(np.ones(self.coef.shape[2]))


@compiled
def _sums(coef: Array, columns: Indices) -> Array:
    """sum_n coef_bv,c with the column c that each row has for feature n. columns : shape (n, u). Shape (b, V, u)."""
    b, V, _ = coef.shape
    sums = np.zeros((b, V, columns.shape[1]))
    for model in range(b):
        for v in range(V):
            own, score = coef[model, v], sums[model, v]
            for of_feature in columns:
                for i in range(len(score)):
                    score[i] += own[of_feature[i]]
    return sums


def _indicators(X: Array, categories: tuple[int, ...]) -> Array:
    """A column for each category of each feature, 1 where the row has it. Shape (rows, sum of k_n)."""
    columns = [x[:, None] == np.arange(k) for x, k in zip(X.T, categories, strict=True)]
    return np.concatenate(columns, axis=1).astype(np.float64)


def _require_smoothing(alpha: float, prior_alpha: float | None) -> None:
    require_number("alpha", alpha, positive=True)
    if prior_alpha is not None:
        require_prior(prior_alpha)


@dataclass(frozen=True)
class GaussianNB:
    """x_n | y = k ~ Normal(mu_kn, s2_n) or, with a variance for each class, Normal(mu_kn, s2_kn).

    Estimates are those of maximum likelihood, as of `probml.naive_bayes.GaussianNB`. A feature that is constant in a
    training subset has the variance 0, which `var_smoothing` times the largest variance of a feature in the part,
    within and between classes, raises; it is added to all variances, as there. So a part of one example of each class
    gives the nearest of the two.

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

    def fit(self, parts: Parts) -> Fit:
        """With a shared variance, (mu_k - centre) / s2 are the coefficients of the scores."""
        N = parts.class_count
        m = parts.X.shape[1]
        mean, deviation = class_means(parts)
        scatter = parts.members @ deviation**2
        within = scatter.sum(axis=1)
        variance = within[:, None] / m if self.shared_variance else scatter / N[:, :, None]
        variance = variance + self._epsilon(N, mean, within)[:, None, None]
        if (constant := variance < SMALLEST_VARIANCE).any():
            part, _, n = np.argwhere(constant)[0]
            raise ParameterError(
                f"feature {n} is constant in part {parts.first + part} of {m} examples, so that its variance is 0 (or "
                f"below {SMALLEST_VARIANCE:.1g}): set var_smoothing > 0 (it is {self.var_smoothing!r}), scale it, "
                "or leave it out"
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
