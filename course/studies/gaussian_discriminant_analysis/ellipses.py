"""Ellipses of equal density."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def ellipse(mean: Array, covariance: Array, radius: float = 1.0, points: int = 200) -> Array:
    """Points x with (x - μ)ᵀ Σ⁻¹ (x - μ) = radius², shape (2, points): μ + radius · C u, with Σ = C Cᵀ and |u| = 1."""
    angle = np.linspace(0, 2 * np.pi, points)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    return mean[:, None] + radius * np.linalg.cholesky(covariance) @ circle


def radius_of(share: float) -> float:
    """The Mahalanobis radius within which this share of a normal distribution in the plane lies: 1 - e^(-r²/2)."""
    if not 0 < share < 1:
        raise ValueError(f"share must be between 0 and 1, received {share!r}")
    return float(np.sqrt(-2 * np.log1p(-share)))
