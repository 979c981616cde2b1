"""The multivariate Bernoulli event model: for each word of the vocabulary, is it in the document or not?"""

from copy import copy

import numpy as np
from scipy import sparse

from probml.families.base import log
from probml.generative import Generative, LinearPosterior
from probml.inputs import parameters, require_number
from probml.naive_bayes.base import CountNB, Counts, finite_product, require_observed
from probml.typing import Array, Indices, Matrix


@parameters
class BernoulliNB(Generative[Counts], CountNB):
    r"""Bernoulli naive Bayes with add-alpha smoothing.

    .. math::
        \log p(x \mid y = j) &= \sum_n [x_n \log \phi_{jn} + (1 - x_n) \log(1 - \phi_{jn})], \quad x_n \in \{0, 1\} \\
        \phi_{jn} &= \frac{N_{jn} + \alpha}{N_j + 2 \alpha}

    where N_jn counts the documents of class j that hold word n, and N_j all documents of class j. Each word of a class
    is of the family `probml.families.Bernoulli`, whose formulas are written here for the whole matrix at once.

    X : dense or CSR, shape (m, n); entries above `binarize` count as 1.

    Parameters
    ----------
    alpha : pseudo-count added to presence and to absence, or one for each word. 0 is maximum likelihood.
    force_alpha, fit_prior, class_prior : as in MultinomialNB.
    binarize : threshold, or None if X holds only 0 and 1.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), feature_count_ (K, n), class_log_prior_ (K,), feature_log_prob_ (K, n) = log phi,
    alpha_ = the smoothing that was used, statistics_
    """

    _input_tags = {"sparse": True}  # noqa: RUF012

    binarize: float | None = 0.0

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of events: w_jn = logit phi_jn, b_j = log pi_j + sum_n log(1 - phi_jn)."""
        self._check_estimated()
        logit = self.feature_log_prob_ - self._log_absent
        intercept = self.class_log_prior_ + self._log_absent.sum(axis=1)
        return LinearPosterior(self.classes_, logit, intercept, copy(self)._features)

    def _features(self, X: Matrix) -> Matrix:
        return self._events(self._valid(X))

    def _kind(self) -> str:
        return f"examples above {0.0 if self.binarize is None else float(self.binarize)}"

    def _events(self, X: Matrix) -> Matrix:
        """x_n, 0 or 1."""
        if self.binarize is not None:
            require_number("binarize", self.binarize)
        if not isinstance(X, np.ndarray):
            return sparse.csr_array((self._events(X.data), X.indices, X.indptr), shape=X.shape)
        if self.binarize is not None:
            return (X > self.binarize).astype(np.float64)
        if not np.isin(X, (0, 1)).all():
            raise ValueError("binarize=None needs X of 0 and 1 only; give a threshold, such as binarize=0")
        return X

    def _estimate(self, statistics: Counts) -> None:
        """log phi_jn = log(N_jn + alpha) - log(N_j + 2 alpha)."""
        super()._estimate(statistics)
        self.feature_count_ = N = statistics.feature_count
        N_j, alpha = self.class_count_[:, None], self.alpha_
        total = N_j + 2 * alpha
        require_observed(total, statistics.classes, "examples")
        self.feature_log_prob_ = log(N + alpha) - np.log(total)
        # log(1 - phi) from the counts, not as log(1 - exp(.)), which would lose digits where phi is near 1.
        self._log_absent = log(N_j - N + alpha) - np.log(total)

    def _log_likelihood(self, X: Matrix) -> Array:
        """Of the empty document, sum_n log(1 - phi_jn), and logit phi_jn for each word that is present."""
        X, absent = self._events(X), self._log_absent
        certain = np.isneginf(absent)  # words with phi = 1: a document without one of them is impossible
        if certain.any():
            absent = np.where(certain, 0.0, absent)
        total: Array = absent.sum(axis=1) + self._product_with_logs(X, self.feature_log_prob_ - absent)
        if certain.any():
            total[certain.sum(axis=1) > finite_product(X, certain.astype(np.float64))] = -np.inf
        return total

    def _draw(self, codes: Indices, rng: np.random.Generator) -> sparse.csr_array:
        """Documents as indicators of their words (just above `binarize`, where it is 1 or more)."""
        value = 1.0 if self.binarize is None or self.binarize < 1 else np.nextafter(self.binarize, np.inf)
        phi, n = np.exp(self.feature_log_prob_), self.n_features_in_
        words = [np.flatnonzero(rng.random(n) < phi[j]) for j in codes]
        ends = np.concatenate([[0], np.cumsum([len(found) for found in words])])
        return sparse.csr_array((np.full(ends[-1], value), np.concatenate(words), ends), shape=(len(codes), n))
