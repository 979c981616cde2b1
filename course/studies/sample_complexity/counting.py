"""Free parameters as counted in fitted models, and what becomes of the others when a feature is left out."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probml.gda import GDA
from probml.linear_model import LogisticRegression
from probml.naive_bayes import BernoulliNB, GaussianNB

Array = NDArray[np.float64]


def parameters(X: Array, y: NDArray[np.intp]) -> dict[str, int]:
    """Free parameters of two-class models fitted to X, shape (m, n), in the order of the table of the note."""
    triangle = np.tril_indices(X.shape[1])  # a covariance is symmetric
    one_prior = 1  # the other follows from it
    bernoulli = BernoulliNB().fit(X > X.mean(axis=0), y)
    shared, own = (GaussianNB(shared_variance=share).fit(X, y) for share in (True, False))
    lda, qda = (GDA(covariance=kind).fit(X, y) for kind in ("shared", "per-class"))
    regression = LogisticRegression().fit(X, y)
    return {
        "Bernoulli naive Bayes": bernoulli.feature_log_prob_.size + one_prior,
        "Gaussian naive Bayes, shared variances": shared.theta_.size
        + np.unique(shared.var_, axis=0).size  # both classes have one row of them
        + one_prior,
        "Gaussian naive Bayes": own.theta_.size + own.var_.size + one_prior,
        "GDA, shared Σ": lda.means_.size + lda.covariance_[triangle].size + one_prior,
        "GDA, Σ for each class": qda.means_.size + sum(S[triangle].size for S in qda.covariance_) + one_prior,
        "logistic regression": regression.coef_.size + regression.intercept_.size,
    }


class LeftOut(NamedTuple):
    """Weights of logistic regression for the other features, each of shape (n - 1,).

    with_it, without_it : the feature that is left out in the second fit
    moved : by how many standard errors of the first fit
    """

    with_it: Array
    without_it: Array
    moved: Array


def left_out(X: Array, y: NDArray[np.intp], feature: int) -> LeftOut:
    """Logistic regression with and without a feature."""
    others = np.arange(X.shape[1]) != feature
    full = LogisticRegression().fit(X, y)
    with_it, without_it = full.coef_[0, others], LogisticRegression().fit(X[:, others], y).coef_[0]
    return LeftOut(with_it, without_it, (without_it - with_it) / full.summary().standard_error[1:][others])
