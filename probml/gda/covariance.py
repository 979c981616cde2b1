"""Covariances of each shape, regularised, and the square roots of their inverses.

`probml.curves.gda` computes the same for many training sets at once; its tests hold it to `probml.gda.GDA`.
"""

from typing import Literal, get_args

import numpy as np
from scipy.linalg import eigh

from probml.errors import NoEstimateError
from probml.families.centred import covariance
from probml.generative import Moments
from probml.generative.gaussian import SMALLEST_VARIANCE
from probml.generative.moments import Scatter
from probml.typing import Array

Shape = Literal["shared", "per-class", "shared-diagonal", "diagonal", "shared-spherical", "spherical"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
ROUNDING = 64 * np.finfo(np.float64).eps  # relative: a feature that depends on others leaves this variance, or less


def needed_scatter(shape: Shape) -> Scatter:
    """The least that has to be collected for covariances of this shape."""
    if shape == "shared":
        return "pooled covariance"
    return "covariances" if shape == "per-class" else "variances"


def covariances(statistics: Moments, shape: Shape, unbiased: bool) -> Array:
    """Maximum-likelihood covariances, or unbiased ones, in their smallest form:

        shared            sum_j S_j / N        (n, n)          per-class    S_j / N_j             (K, n, n)
        shared-diagonal   its diagonal         (n,)            diagonal     diagonals             (K, n)
        shared-spherical  mean of that         ()              spherical    means of those        (K,)

    with S_j the scatter of class j. Unbiased: divided by N - K, or by N_j - 1.
    """
    N, scatter = statistics.class_count, statistics.scatter
    if shape.startswith("shared"):
        degrees = np.asarray(N.sum() - (np.count_nonzero(N) if unbiased else 0))
        scatter = scatter if shape == "shared" else scatter.sum(axis=0)
    else:
        degrees = N - unbiased
        if (few := degrees <= 0).any():
            j = np.flatnonzero(few)[0]
            raise NoEstimateError(
                f"class {statistics.classes[j]} has {N[j]:g} examples, too few for a covariance of its own: give more, "
                'or share the covariance (covariance="shared")'
            )
    if np.min(degrees) <= 0:
        raise NoEstimateError(f"{N.sum():g} examples of {len(N)} classes are too few: give more")
    sigma = covariance(scatter, degrees)
    return sigma.mean(axis=-1) if shape.endswith("spherical") else sigma


def regularised(covariance: Array, shape: Shape, shrinkage: float, ridge: float) -> Array:
    """(1 - shrinkage) Sigma + (shrinkage mean(diag Sigma) + ridge) I, for covariances in their smallest form."""
    if shape.endswith("spherical"):
        return covariance + ridge
    full = shape in ("shared", "per-class")
    diagonal = np.diagonal(covariance, axis1=-2, axis2=-1) if full else covariance
    sphere: Array = shrinkage * diagonal.mean(axis=-1, keepdims=True) + ridge
    added = sphere[..., None] * np.eye(covariance.shape[-1]) if full else sphere
    return (1 - shrinkage) * covariance + added


def whitened(x: Array, root: Array) -> Array:
    """R^T x for the rows of x, with R of shape (n, n), or (n,) where it is diagonal."""
    white: Array = x @ root if root.ndim == 2 else x * root
    return white


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
