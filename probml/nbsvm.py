"""NBSVM: a support vector machine on features that naive Bayes has weighted (Wang and Manning 2012)."""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_non_negative

from probml.inputs import AllOrNothing, examples, parameters, require_flags, require_number, training_examples, weights
from probml.linear_model import LinearSVC
from probml.naive_bayes import MultinomialNB
from probml.typing import Array, Labels, Mask, Matrix


@parameters
class NBSVM(AllOrNothing, ClassifierMixin, BaseEstimator):
    r"""A linear classifier between multinomial naive Bayes and a support vector machine. With f_n = [x_n > 0]:

    .. math::
        \text{naive Bayes: } \; & r_n = \log \frac{p_n}{|p|_1} - \log \frac{q_n}{|q|_1}, \quad
        c = \log \frac{N_1}{N_0} \\
        \text{SVM on } r \circ f \text{: } \; & \min_{w, b} \; \tfrac{1}{2} |w|^2
        + C \sum_i \max(0, 1 - y_i (w \cdot (r \circ f_i) + b))^2 \\
        \text{between: } \; & w' = (1 - \beta) m + \beta w, \quad b' = (1 - \beta) m c + \beta b, \quad
        m = \mathrm{mean}_n |w_n|

    with p = alpha + the sum of f over the second class, q = alpha + the same over the first, and y_i = ±1. The second
    class is predicted where w' · (r ∘ f) + b' > 0. beta = 0 is naive Bayes (times m > 0), beta = 1 the SVM on weighted
    words. More than two classes: one against the rest, and the class of the largest score.

    X : counts, not negative, dense or CSR, shape (m, n). y : labels, shape (m,). sample_weight : like repetitions.

    Parameters
    ----------
    alpha : pseudo-count of naive Bayes, above 0.
    C : weight of the loss against the penalty.
    beta : from 0 to 1.
    binarise : whether f = [x > 0]; otherwise f = x.
    tol : of the solver of `LinearSVC`; None is its own.

    Attributes
    ----------
    classes_ (K,); with V = 1 for two classes and V = K for more: log_count_ratio_ (V, n) = r, prior_log_odds_ (V,) = c,
    svm_coef_ (V, n) = w, svm_intercept_ (V,) = b; coef_ (V, n) = w' ∘ r and intercept_ (V,) = b', the weights of f
    """

    alpha: float = 1.0
    C: float = 1.0
    beta: float = 0.25
    binarise: bool = True
    tol: float | None = None

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to counts X, shape (m, n), and labels y, shape (m,)."""
        self._check_parameters()
        X, y = training_examples(self, X, y, accept_sparse="csr", dtype=np.float64)
        weight = weights(sample_weight, X)
        classes = np.unique(y if weight is None else y[weight > 0])
        if len(classes) < 2:
            raise ValueError(
                f"NBSVM needs documents of two classes, with weights above 0; received "
                f"{f'one class only: {classes.tolist()[0]!r}' if len(classes) else 'no document that counts'}"
            )
        F = self._features(X)
        against_rest = classes[1:] if len(classes) == 2 else classes
        parts = [self._fit_one(F, y == label, weight) for label in against_rest]
        self.classes_ = classes
        self.log_count_ratio_, self.prior_log_odds_, self.svm_coef_, self.svm_intercept_ = map(
            np.array, zip(*parts, strict=True)
        )
        return self._interpolate()

    def with_beta(self, beta: float) -> "NBSVM":
        """The fitted model with another beta: naive Bayes and the SVM stay what they are."""
        check_is_fitted(self, "classes_")
        model = copy(self)
        model.beta = beta
        model._check_parameters()
        return model._interpolate()

    def decision_function(self, X: Matrix) -> Array:
        """w' · (r ∘ f) + b'. Shape (m,) for two classes, (m, K) for more."""
        check_is_fitted(self, "classes_")
        X = examples(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        z: Array = self._features(X) @ self.coef_.T + self.intercept_
        return z[:, 0] if len(self.classes_) == 2 else z

    def predict(self, X: Matrix) -> Labels:
        """The second of two classes where the score is above 0, the class of the largest score of more. Shape (m,)."""
        z = self.decision_function(X)
        return self.classes_[(z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)]

    def _fit_one(self, F: Matrix, second: Mask, weight: Array | None) -> tuple[Array, float, Array, float]:
        """r, c, w and b of one class against the rest."""
        bayes = MultinomialNB(alpha=self.alpha).fit(F, second, weight)
        r = bayes.feature_log_prob_[1] - bayes.feature_log_prob_[0]
        c = bayes.class_log_prior_[1] - bayes.class_log_prior_[0]
        if isinstance(F, np.ndarray):
            weighted = F * r
        else:
            weighted = sparse.csr_array((F.data * r[F.indices], F.indices, F.indptr), shape=F.shape)
        svm = LinearSVC(l2=1 / (2 * self.C), tol=self.tol).fit(weighted, second, weight)
        return r, float(c), svm.coef_[0], float(svm.intercept_[0])

    def _interpolate(self) -> Self:
        mean = np.abs(self.svm_coef_).mean(axis=1, keepdims=True)
        w = (1 - self.beta) * mean + self.beta * self.svm_coef_
        self.coef_ = w * self.log_count_ratio_
        self.intercept_ = (1 - self.beta) * mean[:, 0] * self.prior_log_odds_ + self.beta * self.svm_intercept_
        return self

    def _features(self, X: Matrix) -> Matrix:
        """F = [x > 0], or X itself."""
        check_non_negative(X, "NBSVM (input X are counts)")
        return (X > 0).astype(np.float64) if self.binarise else X

    def _check_parameters(self) -> None:
        require_number("alpha", self.alpha, above=0)  # 0 would give words of one class only an infinite ratio
        require_number("C", self.C, above=0)
        require_number("beta", self.beta, at_most=1)
        require_flags(self, "binarise")

    def __sklearn_tags__(self) -> Tags:
        """Counts, also sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # for counts, not for scikit-learn's Gaussian test data
        return tags
