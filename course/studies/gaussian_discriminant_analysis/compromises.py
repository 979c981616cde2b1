"""Families of classifiers between two covariances: one eigendecomposition for all strengths of the compromise.

Every family takes training data X, shape (m, n), and y of 0 and 1, further examples Z, shape (k, n), and strengths
from 0 to 1, shape (s,). It gives the log odds of class 1 for each strength and example, shape (s, k), which are NaN
where a covariance is singular. Features that are constant within both classes are left out.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Family = Callable[[Array, NDArray[np.intp], Array, Array], Array]
SMALLEST_EIGENVALUE = 1e-10  # of a correlation matrix; one below is a zero, but for rounding


def towards_diagonal(X: Array, y: NDArray[np.intp], Z: Array, strengths: Array) -> Array:
    """LDA with (1 - γ) S + γ diag(S): for γ = 0 that is LDA, for γ = 1 naive Bayes with one variance for both classes.

    With S = D R D, D the standard deviations and R = V L Vᵀ the correlations, it is D V ((1 - γ) L + γ) Vᵀ D.
    """
    means, deviation, spread, Z = _centred(X, y, Z)
    L, V = _correlations(deviation / spread)
    shrunken = (1 - strengths)[:, None] * L + strengths[:, None]
    regular = shrunken.min(axis=1) > SMALLEST_EIGENVALUE
    along = ((means[1] - means[0]) / spread) @ V
    theta = (along / np.where(regular[:, None], shrunken, np.nan)) @ V.T / spread
    theta_0 = _log_prior_odds(y) - theta @ (means[0] + means[1]) / 2
    return theta @ Z.T + theta_0[:, None]


def towards_shared(X: Array, y: NDArray[np.intp], Z: Array, strengths: Array) -> Array:
    """QDA with (1 - λ) S_j + λ S: for λ = 0 that is QDA, for λ = 1 LDA.

    In coordinates in which S is the identity, S_j = V_j L_j V_jᵀ, and the covariance is V_j ((1 - λ) L_j + λ) V_jᵀ.
    """
    means, deviation, spread, Z = _centred(X, y, Z)
    L, V = _correlations(deviation / spread)
    if L.min() <= SMALLEST_EIGENVALUE:
        return np.full((len(strengths), len(Z)), np.nan)
    whiten = V / np.sqrt(L) / spread[:, None]
    log_joint = []
    for j in (0, 1):
        own = deviation[y == j] @ whiten
        L_j, V_j = np.linalg.eigh(own.T @ own / len(own))
        variance = (1 - strengths)[:, None] * L_j.clip(0) + strengths[:, None]
        variance[variance.min(axis=1) <= SMALLEST_EIGENVALUE] = np.nan
        distance = (1 / variance) @ ((Z - means[j]) @ whiten @ V_j).T ** 2
        log_joint.append(-(distance + np.log(variance).sum(axis=1)[:, None]) / 2)
    return log_joint[1] - log_joint[0] + _log_prior_odds(y)


def _centred(X: Array, y: NDArray[np.intp], Z: Array) -> tuple[Array, Array, Array, Array]:
    """Class means, deviations from them, standard deviations within classes, and Z, without constant features."""
    means = np.array([X[y == j].mean(axis=0) for j in (0, 1)])
    deviation = X - means[y]
    spread = np.sqrt((deviation**2).mean(axis=0))
    kept = spread > SMALLEST_EIGENVALUE * np.abs(X).max(axis=0)
    return means[:, kept], deviation[:, kept], spread[kept], Z[:, kept]


def _correlations(standardised: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors of the correlation matrix."""
    L, V = np.linalg.eigh(standardised.T @ standardised / len(standardised))
    return L.clip(0), V


def _log_prior_odds(y: NDArray[np.intp]) -> float:
    return float(np.log(y.mean() / (1 - y.mean())))
