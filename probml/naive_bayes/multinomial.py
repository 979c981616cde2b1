"""The multinomial event model: a document is a sequence of independent draws of words."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import gammaln

from probml.families.base import log
from probml.generative import Generative, LinearPosterior
from probml.naive_bayes.base import CountNB, Counts, require_observed
from probml.typing import Array, Indices, Labels, Matrix


class MultinomialNB(Generative[Counts], CountNB):
    r"""Multinomial naive Bayes with add-alpha smoothing.

    .. math::
        \log p(x \mid y = j) &= \log \frac{(\sum_n x_n)!}{\prod_n x_n!} + \sum_n x_n \log \beta_{jn} \\
        \beta_{jn} &= \frac{N_{jn} + \alpha}{\sum_{n'} (N_{jn'} + \alpha)}

    where N_jn counts word n in the documents of class j. With the class prior pi_j = N_j / N of N_j documents,

    .. math::
        \log p(y = j \mid x) = s_j - \log \sum_k e^{s_k}, \quad
        s_j = \log \pi_j + \sum_n x_n \log \beta_{jn}

    The multinomial coefficient is the same for all classes: `log_joint` has it, the posterior does not need it. Each
    class is of the family `probml.families.Multinomial`, whose formulas are written here for the whole matrix at once.

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
    alpha_ = the smoothing that was used, statistics_
    """

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of the counts: w_jn = log beta_jn, b_j = log pi_j."""
        self._check_estimated()
        return LinearPosterior(self.classes_, self.feature_log_prob_, self.class_log_prior_)

    def _estimate(self, statistics: Counts) -> None:
        """log beta_jn = log(N_jn + alpha) - log sum_n' (N_jn' + alpha)."""
        super()._estimate(statistics)
        self.feature_count_ = N = statistics.feature_count
        alpha = self.alpha_
        total = N.sum(axis=1, keepdims=True) + np.broadcast_to(alpha, N.shape[1]).sum()
        require_observed(total, statistics.classes, "words")
        log_beta = log(N + alpha) - np.log(total)
        self.feature_log_prob_ = np.asfortranarray(log_beta)  # word by word, as documents will ask for it

    def _log_likelihood(self, X: Matrix) -> Array:
        """X @ log beta.T: sum_n x_n log beta_jn, without the multinomial coefficient."""
        return self._product_with_logs(self._events(X), self.feature_log_prob_)

    def _log_common(self, X: Matrix) -> Array:
        """The logarithm of the multinomial coefficient."""
        length = np.asarray(X.sum(axis=1), dtype=np.float64)
        if isinstance(X, np.ndarray):
            log_factorial = gammaln(X + 1.0)
        else:
            log_factorial = sparse.csr_array((gammaln(X.data + 1.0), X.indices, X.indptr), shape=X.shape)
        with np.errstate(invalid="ignore"):  # inf - inf is refused where scores have to be representable
            log_coefficient: Array = gammaln(length + 1) - log_factorial.sum(axis=1)
        return log_coefficient

    def sample(
        self, n: int = 1, seed: int | np.random.Generator | None = None, length: ArrayLike | None = None
    ) -> tuple[sparse.csr_array, Labels]:
        """Documents of `length` words (a number, or one for each); by default the mean length in the training data."""
        rng = np.random.default_rng(seed)
        codes = self._draw_classes(n, rng)
        return self._draw(codes, rng, length), self.classes_[codes]

    def _draw(self, codes: Indices, rng: np.random.Generator, length: ArrayLike | None = None) -> sparse.csr_array:
        if length is None:
            length = max(1, round(self.feature_count_.sum() / self.class_count_.sum()))
        lengths = np.broadcast_to(np.asarray(length), codes.shape)
        if lengths.dtype.kind not in "iu" or (lengths < 0).any():
            raise ValueError(f"length must be whole numbers, not negative, received {length!r}")
        word = np.empty(lengths.sum(), dtype=np.intp)
        token_class = np.repeat(codes, lengths)
        for j in np.unique(codes):
            own = np.flatnonzero(token_class == j)
            word[own] = rng.choice(self.n_features_in_, size=len(own), p=np.exp(self.feature_log_prob_[j]))
        ends = np.concatenate([[0], np.cumsum(lengths)])
        documents = sparse.csr_array((np.ones(len(word)), word, ends), shape=(len(codes), self.n_features_in_))
        documents.sum_duplicates()
        return documents
