"""Complement naive Bayes: weigh a word by how often it occurs outside the class."""

import numpy as np

from probml.errors import NoEstimateError
from probml.generative import LinearPosterior
from probml.inputs import parameters, require_flags
from probml.naive_bayes.base import CountNB, Counts, finite_product
from probml.typing import Array, Matrix


@parameters
class ComplementNB(CountNB):
    r"""Complement naive Bayes (Rennie et al. 2003) with add-alpha smoothing.

    .. math::
        \mathrm{score}_j(x) = \sum_n x_n w_{jn}, \quad w_{jn} = -\log \beta_{jn}, \quad
        \beta_{jn} = \frac{N_n - N_{jn} + \alpha}{\sum_{n'} (N_{n'} - N_{jn'} + \alpha)}

    where N_n counts word n in all classes: a class is good if the words are bad for all others. It is no model of
    p(x, y): there is nothing to sample from and no evidence. The class prior is not used, except where there is only
    one class.

    X : counts, not negative, dense or CSR, shape (m, n).

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior : as in MultinomialNB.
    norm : divide the weights of each class by their sum.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), feature_count_ (K, n), feature_all_ (n,), class_log_prior_ (K,),
    feature_log_prob_ (K, n) = the weights w, alpha_ = the smoothing that was used, statistics_
    """

    norm: bool = False

    def to_linear(self) -> LinearPosterior:
        """The scores as a softmax model of the counts."""
        self._check_estimated()
        return LinearPosterior(self.classes_, self.feature_log_prob_, self._log_prior())

    def _estimate(self, statistics: Counts) -> None:
        """w_jn = log sum_n' (N_n' - N_jn' + alpha) - log(N_n - N_jn + alpha)."""
        super()._estimate(statistics)
        require_flags(self, "norm")
        self.feature_count_ = statistics.feature_count
        elsewhere = sums_of_others(self.feature_count_) + self.alpha_
        if (elsewhere <= 0).any():
            j, n = np.argwhere(elsewhere <= 0)[0]
            raise NoEstimateError(
                f"feature {n} does not occur outside class {statistics.classes[j]}, so that alpha=0 gives it an "
                "infinite weight: use alpha > 0"
            )
        logs = np.log(elsewhere) - np.log(elsewhere.sum(axis=1, keepdims=True))
        total = logs.sum(axis=1, keepdims=True)
        if self.norm and not total.all():
            raise ValueError(
                "norm=True cannot divide by weights that sum to zero: there is only one feature, n_features = 1"
            )
        self.feature_all_ = self.feature_count_.sum(axis=0)
        self.feature_log_prob_ = logs / total if self.norm else -logs

    def _log_prior(self) -> Array:
        return self.class_log_prior_ if len(self.classes_) == 1 else np.zeros(len(self.classes_))

    def _log_likelihood(self, X: Matrix) -> Array:
        return finite_product(self._events(X), self.feature_log_prob_)


def sums_of_others(counts: Array) -> Array:
    """For each row the sum of all other rows, shape (K, n). The difference from the sum of all would lose digits."""
    nothing = np.zeros((1, counts.shape[1]))
    before: Array = np.cumsum(np.vstack([nothing, counts[:-1]]), axis=0)
    after: Array = np.cumsum(np.vstack([nothing, counts[:0:-1]]), axis=0)[::-1]
    return before + after
