"""What the models of counts share: the smoothing alpha and the class prior."""

import warnings
from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from probml.errors import NoEstimateError
from probml.generative import ClassStatistics, StatisticsClassifier
from probml.generative.classifier import Matrix
from probml.generative.prior import class_prior, log_or_minus_infinity
from probml.inputs import parameters, require_flags
from probml.naive_bayes.counts import Counts, count_features

SMALLEST_ALPHA = 1e-10  # with force_alpha=False


@parameters
class DiscreteNB(StatisticsClassifier):
    """Naive Bayes on counts. With K classes, n features and N_jn the (weighted) count of feature n in class j:

        class prior      pi_j = N_j / N                                  (shape (K,))
        prediction       argmax_j  log pi_j + log p(x | y = j)
        posterior        log p(y = j | x) = log p(x, j) - log sum_k p(x, k)

    An event model says what to count (`_events`) and how counts become parameters (`_smoothed`).
    """

    _checks = {"accept_sparse": "csr"}  # noqa: RUF012
    _remedy = "Smooth with alpha > 0 (it is {alpha!r})."

    alpha: float | ArrayLike = 1.0
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: ArrayLike | None = None

    @abstractmethod
    def _events(self, X: Matrix) -> Matrix:
        """What is counted: X itself, or whether it exceeds a threshold."""

    @abstractmethod
    def _smoothed(self, statistics: Counts, alpha: NDArray[np.float64]) -> dict[str, object]:
        """Parameters, by the names of the attributes, from the counts and alpha."""

    def _collect(
        self, X: Matrix, codes: NDArray[np.intp], classes: NDArray, weight: NDArray[np.float64] | None
    ) -> ClassStatistics:
        counts = count_features(self._events(X), codes, len(classes), weight)
        return Counts(self._kind(), classes, counts[0], X.shape[1], counts[1])

    def _estimate(self, statistics: Counts) -> dict[str, object]:
        alpha = self._checked_alpha(statistics.n_features)
        with np.errstate(over="ignore"):
            largest = statistics.feature_count.sum() + 2 * statistics.n_features * alpha.max(initial=0)
        if not np.isfinite(largest):
            raise ValueError("the counts, or alpha, add up to more than a floating-point number can hold: rescale them")
        return {
            "class_log_prior_": self._checked_log_prior(statistics.class_count),
            "class_count_": statistics.class_count,
            "feature_count_": statistics.feature_count,
            "alpha_": alpha,
            **self._smoothed(statistics, alpha),
        }

    def _log_prior(self) -> NDArray[np.float64]:
        return self.class_log_prior_

    def _checked_log_prior(self, class_count: NDArray[np.float64]) -> NDArray[np.float64]:
        require_flags(self, "fit_prior")
        given = "uniform" if self.class_prior is None and not self.fit_prior else self.class_prior
        return log_or_minus_infinity(class_prior(class_count, given, "class_prior"))

    def _checked_alpha(self, n_features: int) -> NDArray[np.float64]:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (n_features,):
            raise ValueError(f"alpha has shape {alpha.shape}: give a number, or one for each of {n_features} features")
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ValueError(f"alpha must be finite and not negative, received {self.alpha!r}")
        require_flags(self, "force_alpha")
        if not self.force_alpha and (alpha < SMALLEST_ALPHA).any():
            warnings.warn(
                f"alpha={self.alpha!r} is raised to {SMALLEST_ALPHA}, as force_alpha=False asks", stacklevel=6
            )
            return np.maximum(alpha, SMALLEST_ALPHA)
        return alpha

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # these models are for counts, not for scikit-learn's Gaussian test data
        return tags


class CountNB(DiscreteNB):
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


def log_shares(
    count: NDArray[np.float64], alpha: NDArray[np.float64], total: NDArray[np.float64], classes: NDArray, what: str
) -> NDArray[np.float64]:
    """log((N_jn + alpha_n) / total_j), shape (K, n), for totals of shape (K, 1) or (K, n).

    Few features occur in all classes: the logarithm of alpha alone is found once.
    """
    if (empty := total[:, 0] <= 0).any():
        raise NoEstimateError(
            f"class {classes[empty][0]} has no {what}, so that alpha=0 leaves its probabilities 0/0: use alpha > 0"
        )
    logs = np.empty_like(count)
    logs[:] = log_or_minus_infinity(alpha)
    alpha = np.broadcast_to(alpha, count.shape[1])
    for row, own in zip(logs, count, strict=True):
        seen = np.flatnonzero(own > 0)
        row[seen] = np.log(own[seen] + alpha[seen])
    logs -= np.log(total)
    return logs
