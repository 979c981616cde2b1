"""What the models of counts share: the smoothing alpha and the class prior."""

import warnings
from abc import abstractmethod
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from probml.errors import NoEstimateError
from probml.families.base import log
from probml.generative import StatisticsClassifier
from probml.inputs import parameters, require_flags
from probml.naive_bayes.counts import Counts, CountStatistics, count_features
from probml.typing import Array, Indices, Labels, Matrix

C = TypeVar("C", bound=CountStatistics)
SMALLEST_ALPHA = 1e-10  # with force_alpha=False


@parameters
class DiscreteNB(StatisticsClassifier[C]):
    """Naive Bayes on counts. With K classes, n features and N_jn the (weighted) count of feature n in class j:

        class prior      pi_j = N_j / N                                  (shape (K,))
        prediction       argmax_j  log pi_j + log p(x | y = j)
        posterior        log p(y = j | x) = log p(x, j) - log sum_k p(x, k)

    A model says what to count (`_collect`) and how counts become parameters (`_estimate`).
    """

    _checks = {"accept_sparse": "csr"}  # noqa: RUF012
    _remedy = "Smooth with alpha > 0 (it is {alpha!r})."

    alpha: float | ArrayLike = 1.0
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: ArrayLike | None = None

    def _estimate(self, statistics: C) -> None:
        """The smoothing and the class prior; the model does the rest."""
        self.alpha_ = self._checked_alpha(statistics.n_features)
        with np.errstate(over="ignore"):
            finite = np.isfinite(statistics.total(self.alpha_.max(initial=0)))
        if not finite:
            raise ValueError("the counts, or alpha, add up to more than a floating-point number can hold: rescale them")
        require_flags(self, "fit_prior")
        given = "uniform" if self.class_prior is None and not self.fit_prior else self.class_prior
        self.class_count_ = statistics.class_count
        self.class_log_prior_ = log(statistics.class_prior(given, "class_prior"))

    def _log_prior(self) -> Array:
        return self.class_log_prior_

    def _positive(self) -> bool:
        """Whether alpha lets no probability be zero."""
        return bool((self.alpha_ > 0).all())

    def _checked_alpha(self, n_features: int) -> Array:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (n_features,):
            raise ValueError(f"alpha has shape {alpha.shape}: give a number, or one for each of {n_features} features")
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ValueError(f"alpha must be finite and not negative, received {self.alpha!r}")
        require_flags(self, "force_alpha")
        if not self.force_alpha and (alpha < SMALLEST_ALPHA).any():
            warnings.warn(
                f"alpha={self.alpha!r} is raised to {SMALLEST_ALPHA}, as force_alpha=False asks", stacklevel=7
            )
            return np.maximum(alpha, SMALLEST_ALPHA)
        return alpha

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # these models are for counts, not for scikit-learn's Gaussian test data
        return tags


class EventNB(DiscreteNB[Counts]):
    """Naive Bayes on one count for each feature and class: how often it occurs, or in how many examples."""

    @abstractmethod
    def _events(self, X: Matrix) -> Matrix:
        """What is counted: X itself, or whether it exceeds a threshold."""

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> Counts:
        class_count, feature_count = count_features(self._events(X), codes, len(classes), weight)
        return Counts(self._kind(), classes, class_count, X.shape[1], feature_count)


class CountNB(EventNB):
    """Naive Bayes on X that holds counts, or anything like counts: not negative."""

    def _kind(self) -> str:
        return "sums of counts"

    def _events(self, X: Matrix) -> Matrix:
        check_non_negative(X, f"{type(self).__name__} (input X are counts)")
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def require_observed(total: Array, classes: Labels, what: str) -> None:
    """Refuse classes with nothing to divide by, seen or made up. total : shape (K, 1) or (K, n)."""
    if (empty := total[:, 0] <= 0).any():
        raise NoEstimateError(
            f"class {classes[empty][0]} has no {what}, so that alpha=0 leaves its probabilities 0/0: use alpha > 0"
        )
