"""What the event models share: counting, the class prior, Bayes' theorem in log space."""

import warnings
from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from probml.errors import ZeroEvidenceError

SMALLEST_ALPHA = 1e-10  # with force_alpha=False
Matrix = NDArray | sparse.sparray | sparse.spmatrix


class DiscreteNB(ClassifierMixin, BaseEstimator, ABC):
    """Naive Bayes on counts. With K classes, n features and N_jn the (weighted) count of feature n in class j:

        class prior      pi_j = N_j / N                                  (shape (K,))
        prediction       argmax_j  log pi_j + log p(x | y = j)
        posterior        log p(y = j | x) = log p(x, j) - log sum_k p(x, k)

    An event model says what to count (`_events`), how counts become parameters (`_estimate`), and what the
    log likelihood of an example is (`_log_likelihood`).
    """

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate from X, shape (m, n), and labels y, shape (m,)."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.class_count_, self.feature_count_ = self._count(X, y, sample_weight)
        self._update()
        return self

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add the counts of one more batch. The first call has to name all `classes`."""
        first = not hasattr(self, "classes_")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=first)
        check_classification_targets(y)
        if first:
            if classes is None:
                raise ValueError("the first call of partial_fit needs classes=, the labels of all classes to come")
            self.classes_ = np.unique(classes)
            self.class_count_, self.feature_count_ = 0.0, 0.0
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes={classes!r} is not the same as on the first call: {self.classes_!r}")
        class_count, feature_count = self._count(X, y, sample_weight)
        self.class_count_ = self.class_count_ + class_count
        self.feature_count_ = self.feature_count_ + feature_count
        self._update()
        return self

    def predict_joint_log_proba(self, X: Matrix) -> NDArray[np.float64]:
        """log p(x, y = j), up to a term that is the same for all classes. Shape (m, K)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.class_log_prior_ + self._log_likelihood(self._events(X))

    def predict_log_proba(self, X: Matrix) -> NDArray[np.float64]:
        """Log posterior log p(y = j | x). Shape (m, K)."""
        joint = self._possible_joint(X)
        largest = joint.max(axis=1, keepdims=True)
        return joint - (largest + np.log(np.exp(joint - largest).sum(axis=1, keepdims=True)))

    def predict_proba(self, X: Matrix) -> NDArray[np.float64]:
        """Posterior p(y = j | x). Shape (m, K), rows sum to one."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> NDArray:
        """Class of the largest posterior. Shape (m,)."""
        joint = self._possible_joint(X)
        return self.classes_[joint.argmax(axis=1)]

    @abstractmethod
    def _events(self, X: Matrix) -> Matrix:
        """What is counted: X itself, or whether it exceeds a threshold."""

    @abstractmethod
    def _estimate(self, alpha: NDArray[np.float64]) -> None:
        """Parameters from `class_count_` and `feature_count_`."""

    @abstractmethod
    def _log_likelihood(self, X: Matrix) -> NDArray[np.float64]:
        """log p(x | y = j). Shape (m, K)."""

    def _count(self, X: Matrix, y: NDArray, sample_weight: ArrayLike | None) -> tuple[NDArray, NDArray]:
        """N_j and N_jn: one product of the (K, m) indicator of the classes with the (m, n) events."""
        codes = np.searchsorted(self.classes_, y)
        codes[codes == len(self.classes_)] = 0
        if (unknown := self.classes_[codes] != y).any():
            raise ValueError(f"y has the label {y[unknown][0]}, which is not among the classes {self.classes_}")
        m = len(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        members = sparse.csr_array((weight, (codes, np.arange(m))), shape=(len(self.classes_), m))
        feature_count = members @ self._events(X)
        return members.sum(axis=1), feature_count.toarray() if sparse.issparse(feature_count) else feature_count

    def _update(self) -> None:
        self._estimate(self._checked_alpha())
        K = len(self.classes_)
        if self.class_prior is not None:
            prior = np.asarray(self.class_prior, dtype=np.float64)
            if prior.shape != (K,):
                raise ValueError(f"class_prior has shape {prior.shape}, but y has {K} classes")
            if not (prior >= 0).all() or not np.isclose(prior.sum(), 1):
                raise ValueError(f"class_prior must be probabilities that sum to one, received {self.class_prior!r}")
        elif self.fit_prior:
            prior = self.class_count_ / self.class_count_.sum()
        else:
            prior = np.full(K, 1 / K)
        self.class_log_prior_ = log_or_minus_infinity(prior)

    def _checked_alpha(self) -> NDArray[np.float64]:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (self.n_features_in_,):
            raise ValueError(
                f"alpha has shape {alpha.shape}: give a number, or one for each of {self.n_features_in_} features"
            )
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ValueError(f"alpha must be finite and not negative, received {self.alpha!r}")
        if not self.force_alpha and (alpha < SMALLEST_ALPHA).any():
            warnings.warn(
                f"alpha={self.alpha!r} is raised to {SMALLEST_ALPHA}, as force_alpha=False asks", stacklevel=4
            )
            return np.maximum(alpha, SMALLEST_ALPHA)
        return alpha

    def _possible_joint(self, X: Matrix) -> NDArray[np.float64]:
        joint = self.predict_joint_log_proba(X)
        impossible = np.flatnonzero(np.isneginf(joint).all(axis=1))
        if len(impossible):
            raise ZeroEvidenceError(
                f"{len(impossible)} of {len(joint)} examples, the first in row {impossible[0]}, have probability zero "
                f"under every class, so that their posterior is 0/0. Smooth with alpha > 0 (it is {self.alpha!r})."
            )
        return joint

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # these models are for counts, not for scikit-learn's Gaussian test data
        return tags


def log_or_minus_infinity(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """log p, with log 0 = -inf and no warning: a probability of zero is meant here."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def weighted_logs(X: Matrix, log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """sum_n x_n log p_jn with 0 log 0 = 0, for X of shape (m, n) and log_p of shape (K, n). Shape (m, K).

    A product of matrices would make NaN of 0 · (-inf); so zeros of p are counted apart.
    """
    impossible = np.isneginf(log_p)
    if not impossible.any():
        return X @ log_p.T
    total = X @ np.where(impossible, 0.0, log_p).T
    total[(X @ impossible.T.astype(np.float64)) > 0] = -np.inf
    return total
