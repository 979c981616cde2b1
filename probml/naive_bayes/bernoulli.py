"""The multivariate Bernoulli event model: for each word of the vocabulary, is it in the document or not?"""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from probml.naive_bayes.base import DiscreteNB, Matrix, log_or_minus_infinity, weighted_logs


class BernoulliNB(DiscreteNB):
    """Bernoulli naive Bayes with add-alpha smoothing.

        log p(x | y = j) = sum_n [x_n log phi_jn + (1 - x_n) log(1 - phi_jn)],   x_n in {0, 1}
        phi_jn = (N_jn + alpha) / (N_j + 2 alpha)

    where N_jn counts the documents of class j that hold word n, and N_j all documents of class j.

    X : dense or CSR, shape (m, n); entries above `binarize` count as 1.

    Parameters
    ----------
    alpha : pseudo-count added to presence and to absence, or one for each word. 0 is maximum likelihood.
    force_alpha : if False, alpha is raised to at least 1e-10.
    binarize : threshold, or None if X holds only 0 and 1.
    fit_prior : estimate the class prior; otherwise it is uniform.
    class_prior : class prior, shape (K,); not estimated if given.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), feature_count_ (K, n), class_log_prior_ (K,), feature_log_prob_ (K, n) = log phi,
    alpha_ = the smoothing that was used
    """

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.binarize = binarize

    def _events(self, X: Matrix) -> Matrix:
        if self.binarize is None:
            if sparse.issparse(X) and not X.has_canonical_format:
                X = X.copy()
                X.sum_duplicates()  # two entries of 1 in one cell are a 2
            if not np.isin(X.data if sparse.issparse(X) else X, (0, 1)).all():
                raise ValueError("binarize=None needs X of 0 and 1 only; give a threshold, such as binarize=0")
            return X
        if not (isinstance(self.binarize, Real) and self.binarize >= 0):
            raise ValueError(f"binarize must be None or a number of at least 0, received {self.binarize!r}")
        return (X > self.binarize).astype(np.float64)

    def _estimate(
        self, class_count: NDArray, feature_count: NDArray, alpha: NDArray, classes: NDArray
    ) -> dict[str, NDArray[np.float64]]:
        total = class_count[:, None] + 2 * alpha
        if (empty := (total <= 0).any(axis=1)).any():
            raise ValueError(
                f"class {classes[empty][0]} has no examples, so that alpha=0 leaves its word probabilities 0/0: "
                "use alpha > 0"
            )
        # 1 - phi from the counts, not as log(1 - exp(.)), which would lose digits where phi is near 1.
        present, absent = feature_count + alpha, class_count[:, None] - feature_count + alpha
        return {
            "feature_log_prob_": log_or_minus_infinity(present) - np.log(total),
            "_log_absent": log_or_minus_infinity(absent) - np.log(total),
        }

    def _log_likelihood(self, X: Matrix) -> NDArray[np.float64]:
        """Start from the empty document, then correct for the words that are present: no pass over absent words."""
        log_present, log_absent = self.feature_log_prob_, self._log_absent
        certain = np.isneginf(log_absent)  # words with phi = 1: a document without one of them is impossible
        log_absent = np.where(certain, 0.0, log_absent)
        total = log_absent.sum(axis=1) + weighted_logs(X, log_present - log_absent)
        if certain.any():
            total[certain.sum(axis=1) > X @ certain.T.astype(np.float64)] = -np.inf
        return total
