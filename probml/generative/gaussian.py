"""Gaussian log densities of many examples under many classes, block by block."""

from collections.abc import Sequence

import numpy as np

from probml.threads import one_blas_thread
from probml.typing import Array

ROWS_AT_A_TIME = 1024  # a block, its deviations and their squares stay in the cache
LOG_2_PI: float = np.log(2 * np.pi)
NEGLIGIBLE_ERROR = 1e-13  # of a log posterior
SMALLEST_VARIANCE = np.finfo(np.float64).tiny  # below it, digits are lost


def squared_distances(X: Array, means: Array, roots: Array | Sequence[Array]) -> Array:
    """Mahalanobis distances (x - mu_j)^T Sigma_j^-1 (x - mu_j), with Sigma_j^-1 = R_j R_j^T. Shape (m, K).

    means : shape (K, n). roots : R_j for each class, shape (n, n), or (n,) where it is diagonal.
    """
    distances = np.empty((len(X), len(means)))
    # Farther than a floating-point number can say is infinitely far.
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, len(X), ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            for j, (mean, root) in enumerate(zip(means, roots, strict=True)):
                deviation = X[rows] - mean
                # Whitened before it is squared: the square of a large or a small number may not be one.
                if root.ndim == 2:
                    deviation @= root
                else:
                    deviation *= root
                np.square(deviation, out=deviation)
                distances[rows, j] = deviation @ np.ones(len(mean))
    distances[np.isnan(distances)] = np.inf
    return distances


def centred_products(X: Array, centre: Array, coef: Array) -> Array:
    """(x - c) · w_j, shape (m, K), for coef of shape (K, n); centred first where c is so large that digits count."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.finfo(np.float64).eps * (np.abs(coef) @ np.abs(centre)).max(initial=0) < NEGLIGIBLE_ERROR:
            products: Array = (coef @ X.T).T
            products -= coef @ centre
            return products
        products = np.empty((len(X), len(coef)))
        with one_blas_thread():
            for start in range(0, len(X), ROWS_AT_A_TIME):
                rows = slice(start, start + ROWS_AT_A_TIME)
                products[rows] = (X[rows] - centre) @ coef.T
    return products
