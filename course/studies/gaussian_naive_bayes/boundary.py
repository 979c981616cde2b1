"""The scores and the log odds of two normal classes, and where the log odds are zero."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.naive_bayes import GaussianNB


def log_odds(model: GaussianNB, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """log p(y = 1 | x) - log p(y = 0 | x), shape (m,)."""
    logs = model.predict_log_proba(X)
    return logs[:, 1] - logs[:, 0]


def log_joint(model: GaussianNB, x: ArrayLike) -> NDArray[np.float64]:
    """log p(y = j) + log N(x; mean, variance of class j) for a model of one feature; x of shape (m,) gives (m, K)."""
    mean, var = model.theta_[:, 0], model.var_[:, 0]
    deviation = np.asarray(x)[..., None] - mean
    return np.log(model.class_prior_) - (np.log(2 * np.pi * var) + deviation**2 / var) / 2


def cuts(model: GaussianNB) -> NDArray[np.float64]:
    """The places, in increasing order, where a model of one feature and two classes is undecided.

    They are the real zeros of a x² + b x + c, with a = 0 if the classes share their variance.
    """
    (prior0, prior1), (mean0, mean1), (var0, var1) = model.class_prior_, model.theta_[:, 0], model.var_[:, 0]
    a = (1 / var0 - 1 / var1) / 2
    b = mean1 / var1 - mean0 / var0
    c = np.log(prior1 / prior0) + np.log(var0 / var1) / 2 + (mean0**2 / var0 - mean1**2 / var1) / 2
    roots = np.roots([a, b, c])
    return np.sort(roots[np.isreal(roots)].real)
