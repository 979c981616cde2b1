"""What the event models share: counting, the class prior, Bayes' theorem in log space."""

import warnings
from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import log_softmax
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
    log likelihood of an example is (`_log_likelihood`). Counts add up, so that batches do (`partial_fit`).
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
        classes = np.unique(y)
        return self._learn(classes, *self._count(classes, X, y, sample_weight))

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add the counts of one more batch. The first call has to name all `classes`."""
        first = not hasattr(self, "classes_")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=first)
        check_classification_targets(y)
        if first and classes is None:
            raise ValueError("the first call of partial_fit needs classes=, the labels of all classes to come")
        known = np.unique(classes) if first else self.classes_
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"classes={classes!r} is not the same as on the first call: {known!r}")
        class_count, feature_count = self._count(known, X, y, sample_weight)
        if not first:
            class_count, feature_count = self.class_count_ + class_count, self.feature_count_ + feature_count
        return self._learn(known, class_count, feature_count)

    def predict_joint_log_proba(self, X: Matrix) -> NDArray[np.float64]:
        """log p(x, y = j), up to a term that is the same for all classes. Shape (m, K)."""
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.class_log_prior_ + self._log_likelihood(self._events(X))

    def predict_log_proba(self, X: Matrix) -> NDArray[np.float64]:
        """Log posterior log p(y = j | x). Shape (m, K)."""
        return log_softmax(self._possible_joint(X), axis=1)

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
    def _estimate(
        self, class_count: NDArray, feature_count: NDArray, alpha: NDArray, classes: NDArray
    ) -> dict[str, NDArray[np.float64]]:
        """Parameters, by the names of the attributes, from N_j, N_jn and alpha."""

    @abstractmethod
    def _log_likelihood(self, X: Matrix) -> NDArray[np.float64]:
        """log p(x | y = j). Shape (m, K)."""

    def _count(
        self, classes: NDArray, X: Matrix, y: NDArray, sample_weight: ArrayLike | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """N_j and N_jn: one product of the (K, m) indicator of the classes with the (m, n) events."""
        codes = np.searchsorted(classes, y)
        codes[codes == len(classes)] = 0
        if (unknown := classes[codes] != y).any():
            raise ValueError(f"y has the label {y[unknown][0]}, which is not among the classes {classes}")
        m = len(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        members = sparse.csr_array((weight, (codes, np.arange(m))), shape=(len(classes), m))
        feature_count = members @ self._events(X)
        # Summed in the same order, so that a word of all documents of a class has N_jn = N_j to the last bit.
        class_count = members @ np.ones(m)
        return class_count, feature_count.toarray() if sparse.issparse(feature_count) else feature_count

    def _learn(self, classes: NDArray, class_count: NDArray, feature_count: NDArray) -> Self:
        """Parameters from the counts. Nothing of the model changes unless all of it can be estimated."""
        alpha = self._checked_alpha()
        with np.errstate(over="ignore"):
            total = np.sum(feature_count + 2 * alpha, axis=1)
        if not np.isfinite(total).all():
            raise ValueError("the counts, or alpha, add up to more than a floating-point number can hold: rescale them")
        parameters = self._estimate(class_count, feature_count, alpha, classes)
        self.class_log_prior_ = self._log_prior(class_count)
        self.classes_, self.class_count_, self.feature_count_, self.alpha_ = classes, class_count, feature_count, alpha
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    def _log_prior(self, class_count: NDArray) -> NDArray[np.float64]:
        K = len(class_count)
        if not isinstance(self.fit_prior, bool | np.bool_):
            raise ValueError(f"fit_prior must be True or False, received {self.fit_prior!r}")
        if self.class_prior is not None:
            prior = np.asarray(self.class_prior, dtype=np.float64)
            if prior.shape != (K,):
                raise ValueError(f"class_prior has shape {prior.shape}, but y has {K} classes")
            if not (prior >= 0).all() or not np.isclose(prior.sum(), 1):
                raise ValueError(f"class_prior must be probabilities that sum to one, received {self.class_prior!r}")
        else:
            prior = class_count / class_count.sum() if self.fit_prior else np.full(K, 1 / K)
        return log_or_minus_infinity(prior)

    def _checked_alpha(self) -> NDArray[np.float64]:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (self.n_features_in_,):
            raise ValueError(
                f"alpha has shape {alpha.shape}: give a number, or one for each of {self.n_features_in_} features"
            )
        if not np.isfinite(alpha).all() or (alpha < 0).any():
            raise ValueError(f"alpha must be finite and not negative, received {self.alpha!r}")
        if not isinstance(self.force_alpha, bool | np.bool_):
            raise ValueError(f"force_alpha must be True or False, received {self.force_alpha!r}")
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
