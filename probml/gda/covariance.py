"""Covariances, regularised; the square roots of their inverses; Fisher's directions, which are measured by them.

`probml.curves.gda` computes the same for many training sets at once; its tests hold it to `probml.gda.GDA`.
"""

from typing import Literal, get_args

import numpy as np
from scipy.linalg import eigh

from probml.errors import NoEstimateError
from probml.generative.gaussian import SMALLEST_VARIANCE, whitened
from probml.typing import Array

CovarianceShape = Literal["shared", "per-class", "shared-diagonal", "diagonal", "shared-spherical", "spherical"]
SHAPES: tuple[CovarianceShape, ...] = get_args(CovarianceShape)
ROUNDING = 64 * np.finfo(np.float64).eps  # relative: a feature that depends on others leaves this variance, or less


def regularised(covariance: Array, shape: CovarianceShape, shrinkage: float, ridge: float) -> Array:
    """(1 - shrinkage) Sigma + (shrinkage mean(diag Sigma) + ridge) I, for covariances in their smallest form."""
    if shape.endswith("spherical"):
        return covariance + ridge
    full = shape in ("shared", "per-class")
    diagonal = np.diagonal(covariance, axis1=-2, axis2=-1) if full else covariance
    sphere: Array = shrinkage * diagonal.mean(axis=-1, keepdims=True) + ridge
    added = sphere[..., None] * np.eye(covariance.shape[-1]) if full else sphere
    return (1 - shrinkage) * covariance + added


def inverse_root(covariance: Array, whose: str) -> tuple[Array, float]:
    """R with Sigma^-1 = R R^T, and log det Sigma, of a covariance (n, n), or of variances (n,) with R their shape.

    The correlations are decomposed, Sigma = D V L V^T D with D the standard deviations, so that units do not matter.
    """
    variance = covariance if covariance.ndim == 1 else np.diagonal(covariance)
    if not np.isfinite(covariance).all():
        raise ValueError(f"the covariance of {whose} is more than a floating-point number can hold: rescale X")
    if not variance.any():
        raise NoEstimateError(
            f"every feature is constant in {whose}: there is only one sample, or all are alike (or too small to be "
            "squared): give more, rescale X, or set ridge > 0"
        )
    if (constant := variance < SMALLEST_VARIANCE).any():
        raise NoEstimateError(
            f"feature {np.flatnonzero(constant)[0]} is constant in {whose} (or its variance below "
            f"{SMALLEST_VARIANCE:.1g}), so that the covariance is singular: leave it out, rescale it, or set ridge > 0 "
            "or shrinkage > 0"
        )
    deviation = np.sqrt(variance)
    log_det = 2 * np.log(deviation).sum()
    if covariance.ndim == 1:
        return 1 / deviation, log_det
    L, V = eigh(covariance / deviation[:, None] / deviation)
    rank = np.count_nonzero(L > len(L) * ROUNDING * L[-1])
    if rank < len(L):
        raise NoEstimateError(
            f"the covariance of {whose} is singular, of rank {rank} for {len(L)} features (too few examples, or "
            "features that depend on each other): set ridge > 0 or shrinkage > 0, or use a diagonal covariance"
        )
    return V / np.sqrt(L) / deviation[:, None], log_det + np.log(L).sum()


def fisher_projection(means: Array, prior: Array, root: Array, n_components: int) -> tuple[Array, Array, Array]:
    """c, the directions v_1, v_2, … that maximise the scatter between the classes over that within,

        v^T B v / v^T Sigma v,     B = sum_j phi_j (mu_j - c)(mu_j - c)^T,   c = sum_j phi_j mu_j,

    each with v^T Sigma v = 1 and uncorrelated within the classes with those before it: B v = lambda Sigma v, with the
    largest lambda first; and each lambda over the sum of all. With Sigma^-1 = R R^T and v = R u this is the problem
    R^T B R u = lambda u of a symmetric matrix, and that is M^T M for M the whitened means, with rows
    sqrt(phi_j) (mu_j - c)^T R: the u are the right singular vectors of M, and lambda its squared singular values.

    means : mu, shape (K, n). prior : phi, shape (K,). root : R, shape (n, n), or (n,) where it is diagonal.
    """
    centre = prior @ means
    apart = whitened(means - centre, root)
    _, singular, U = np.linalg.svd(np.sqrt(prior)[:, None] * apart, full_matrices=False)
    # Either sign of u will do: we take the one that has the last class on the positive side, as log odds have.
    U = U * np.where(apart[-1] @ U.T < 0, -1.0, 1.0)[:, None]
    eigenvalues = np.square(singular / (singular[0] or 1.0))  # relative: no squares of tiny numbers; 0 if means agree
    directions = root @ U.T if root.ndim == 2 else root[:, None] * U.T
    return centre, directions[:, :n_components], (eigenvalues / (eigenvalues.sum() or 1.0))[:n_components]
