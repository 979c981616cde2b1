"""Models that repair an assumption of Gaussian naive Bayes: that features are normal, that they are independent."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import gaussian_kde

from probml.linear_model import LogisticRegression
from probml.naive_bayes import GaussianNB

Array = NDArray[np.float64]
Classes = NDArray[np.intp]
Fit = Callable[[Array, Classes, Array], Array]  # X and y of the people fitted, and x of one other: its log posterior


def each_left_out(X: Array, y: Classes, log_posterior: Fit) -> Array:
    """log p(y | x_i) of each example i by a model of all others, shape (m, K)."""
    others = ~np.eye(len(y), dtype=bool)
    return np.array([log_posterior(X[own], y[own], X[~own][0]) for own in others])


def normals_apart(X: Array, y: Classes, x: Array) -> Array:
    """Gaussian naive Bayes itself: normal and independent features. Shape (K,)."""
    return GaussianNB(var_smoothing=0).fit(X, y).predict_log_proba(x[None])[0]


def kernels_apart(X: Array, y: Classes, x: Array, width: float = 1.0) -> Array:
    """Naive Bayes with a kernel density for each feature: any shape, independent features. Shape (K,).

    A kernel density is the mean of normal densities around the examples fitted. Their standard deviation is that of
    the feature in the class times M_j ** (-1/5), Scott's rule, times `width`.
    """
    return _normalised(
        [
            np.log(np.mean(y == j))
            + sum(_kernel_density(own, width).logpdf(at)[0] for own, at in zip(X[y == j].T, x, strict=True))
            for j in np.unique(y)
        ]
    )


def kernels_together(X: Array, y: Classes, x: Array, width: float = 1.0) -> Array:
    """A kernel density of all features together: any shape, any dependence. Shape (K,).

    The normal densities have the covariance of the class times M_j ** (-2 / (n + 4)), as Scott's rule has it, times
    the square of `width`.
    """
    return _normalised(
        [np.log(np.mean(y == j)) + _kernel_density(X[y == j].T, width).logpdf(x)[0] for j in np.unique(y)]
    )


def logistic(X: Array, y: Classes, x: Array) -> Array:
    """Logistic regression without a penalty, which assumes nothing about the features. Shape (K,)."""
    return LogisticRegression().fit(X, y).predict_log_proba(x[None])[0]


def _kernel_density(examples: Array, width: float) -> gaussian_kde:
    """A density with kernels of so many times the width of Scott's rule. examples : shape (m,) or (n, m)."""
    return gaussian_kde(examples, lambda density: width * density.scotts_factor())


def _normalised(scores: list[float]) -> Array:
    """Log posteriors from the log joint probabilities of the classes."""
    return np.array(scores) - np.logaddexp.reduce(scores)
