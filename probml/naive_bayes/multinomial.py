"""The multinomial event model: a document is a sequence of independent draws of words."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from probml.naive_bayes.base import DiscreteNB, Matrix, log_or_minus_infinity, weighted_logs


class MultinomialNB(DiscreteNB):
    """Multinomial naive Bayes with add-alpha smoothing.

        log p(x | y = j) = sum_n x_n log beta_jn      (the multinomial coefficient is the same for all classes)
        beta_jn = (N_jn + alpha) / sum_n' (N_jn' + alpha)

    X : counts, not negative, dense or CSR, shape (m, n).

    Parameters
    ----------
    alpha : pseudo-count added to every word, or one for each word. 0 is maximum likelihood.
    force_alpha : if False, alpha is raised to at least 1e-10.
    fit_prior : estimate the class prior; otherwise it is uniform.
    class_prior : class prior, shape (K,); not estimated if given.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), feature_count_ (K, n), class_log_prior_ (K,), feature_log_prob_ (K, n) = log beta,
    alpha_ = the smoothing that was used
    """

    def _events(self, X: Matrix) -> Matrix:
        check_non_negative(X, f"{type(self).__name__} (input X are counts)")
        return X

    def _estimate(
        self, class_count: NDArray, feature_count: NDArray, alpha: NDArray, classes: NDArray
    ) -> dict[str, NDArray[np.float64]]:
        smoothed = feature_count + alpha
        total = smoothed.sum(axis=1, keepdims=True)
        if (empty := total[:, 0] <= 0).any():
            raise ValueError(
                f"class {classes[empty][0]} has no words, so that alpha=0 leaves its word probabilities 0/0: "
                "use alpha > 0"
            )
        return {"feature_log_prob_": log_or_minus_infinity(smoothed) - np.log(total)}

    def _log_likelihood(self, X: Matrix) -> NDArray[np.float64]:
        return weighted_logs(X, self.feature_log_prob_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
