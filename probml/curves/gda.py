"""Gaussian discriminant analysis for a batch of training subsets: the batched twin of `probml.gda.GDA`."""

from dataclasses import dataclass

import numpy as np

from probml.curves.checks import require_number, require_prior, require_squares
from probml.curves.scores import LinearScores, NormalScores
from probml.curves.subsets import Fit, Subsets, class_means, log_prior
from probml.errors import ParameterError
from probml.gda.covariance import ROUNDING, SHAPES, CovarianceShape, regularised
from probml.generative.gaussian import SMALLEST_VARIANCE
from probml.typing import Array, Mask


@dataclass(frozen=True)
class GDA:
    """x | y = k ~ Normal(mu_k, Sigma_k), with the covariances of `probml.gda.GDA`, whose batched twin it is.

    A covariance that is singular in some subset is an error: set ridge > 0 or shrinkage > 0.
    prior_alpha : phi_k = (N_k + prior_alpha) / (m + K prior_alpha); infinite for a uniform prior.
    """

    covariance: CovarianceShape = "shared"
    shrinkage: float = 0.0
    ridge: float = 0.0
    prior_alpha: float = 0.0

    def __post_init__(self) -> None:
        if self.covariance not in SHAPES:
            raise ParameterError(f"covariance must be one of {', '.join(SHAPES)}; received {self.covariance!r}")
        for name in ("shrinkage", "ridge"):
            require_number(name, getattr(self, name))
        require_prior(self.prior_alpha)
        if self.shrinkage > 1:
            raise ParameterError(f"shrinkage must be a number from 0 to 1, received {self.shrinkage!r}")

    def check(self, X: Array, K: int) -> None:
        """Any X whose squares are numbers will do."""
        require_squares(X)

    def fit(self, subsets: Subsets) -> Fit:
        """All training subsets at once."""
        mean, deviation = class_means(subsets)
        covariance = regularised(self._covariances(subsets, deviation), self.covariance, self.shrinkage, self.ridge)
        root, log_det = self._inverse_roots(covariance, subsets)
        prior = log_prior(subsets.class_count, self.prior_alpha)
        if not self.covariance.startswith("shared"):
            return Fit({"": NormalScores(mean, root, prior - log_det / 2)})
        centre = (subsets.class_count[:, None] @ mean) / subsets.X.shape[1]
        diagonal = root.ndim == 3
        whitened = (mean - centre) * root if diagonal else (mean - centre) @ root[:, 0]
        coef = whitened * root if diagonal else whitened @ root[:, 0].transpose(0, 2, 1)
        intercept = prior - (whitened**2).sum(axis=2) / 2 - (coef * centre).sum(axis=2)
        return Fit({"": LinearScores.of_classes(coef, intercept)})

    def _covariances(self, subsets: Subsets, deviation: Array) -> Array:
        """Sigma_k, or one for all classes: shape (B, K or 1, n, n), (B, K or 1, n) or (B, K or 1)."""
        N, shared = subsets.class_count, self.covariance.startswith("shared")
        number = N.sum(axis=1, keepdims=True) if shared else N
        if self.covariance in ("shared", "per-class"):
            members = np.ones_like(subsets.members[:, :1]) if shared else subsets.members
            own = deviation[:, None] * members[:, :, :, None]
            return own.transpose(0, 1, 3, 2) @ own / number[:, :, None, None]
        scatter = subsets.members @ deviation**2
        scatter = scatter.sum(axis=1, keepdims=True) if shared else scatter
        variance = scatter / number[:, :, None]
        return variance.mean(axis=2) if self.covariance.endswith("spherical") else variance

    def _inverse_roots(self, covariance: Array, subsets: Subsets) -> tuple[Array, Array]:
        """R_k with Sigma_k^-1 = R_k R_k^T, and log det Sigma_k, shape (B, K or 1).

        `probml.gda.covariance.inverse_root` for a batch of covariances, of the shapes in `_covariances`.
        """
        n = subsets.X.shape[2]
        if covariance.ndim == 2:
            covariance = np.repeat(covariance[:, :, None], n, axis=2)
        full = covariance.ndim == 4
        variance = np.diagonal(covariance, axis1=2, axis2=3) if full else covariance
        self._require(np.asarray((variance >= SMALLEST_VARIANCE).all(axis=2)), subsets)
        deviation = np.sqrt(variance)
        log_det = 2 * np.log(deviation).sum(axis=2)
        if not full:
            return 1 / deviation, log_det
        L, V = np.linalg.eigh(covariance / deviation[..., None] / deviation[..., None, :])
        self._require(np.asarray(L[..., 0] > n * ROUNDING * L[..., -1]), subsets)
        return V / np.sqrt(L)[..., None, :] / deviation[..., None], log_det + np.log(L).sum(axis=2)

    def _require(self, regular: Mask, subsets: Subsets) -> None:
        if not regular.all():
            raise ParameterError(
                f"the covariance is singular in {(~regular).any(axis=1).sum()} of {len(regular)} training subsets of "
                f"{subsets.X.shape[1]} examples: set ridge > 0 or shrinkage > 0, scale features whose "
                f"squares are near {SMALLEST_VARIANCE:.1g}, or use a simpler covariance than {self.covariance!r}"
            )
