"""The joint log likelihood of Gaussian discriminant analysis, as a function of all its parameters."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def joint_log_likelihood(X: Array, y: NDArray[np.intp], phi: complex, means: NDArray, covariance: NDArray) -> complex:
    """sum_i log p(y_i) + log N(x_i; μ_{y_i}, Σ) for y ~ Bernoulli(φ) and one Σ, shape (n, n), for both classes.

    X : shape (m, n). y : 0 or 1, shape (m,). means : shape (2, n). Analytic in φ, μ and Σ, which may be complex and Σ
    not symmetric, so that every derivative can be checked.
    """
    m, n = X.shape
    deviation = X - means[y]
    quadratic = np.sum(deviation * np.linalg.solve(covariance, deviation.T).T)
    log_normal = -m / 2 * (n * np.log(2 * np.pi) + np.log(np.linalg.det(covariance))) - quadratic / 2
    return log_normal + np.sum(y) * np.log(phi) + np.sum(1 - y) * np.log(1 - phi)
