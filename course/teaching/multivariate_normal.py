"""The multivariate normal family, a distribution of vectors: what `probml.gda` assumes of each class."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from probml.families.base import ExponentialFamily, Shape
from probml.families.centred import Centred, deviations, merged, outer
from probml.families.checks import at, first, require_integer
from probml.typing import Array, Mask


@dataclass(frozen=True, eq=False)
class CentredVectors(Centred):
    """`Centred` of vectors: count of shape (*batch), mean of (*batch, d) and scatter of (*batch, d, d)."""

    @classmethod
    def of(cls, x: Array, weight: Array) -> Self:
        """x of shape (m, *batch, d), with weights of shape (m, *batch)."""
        with np.errstate(over="ignore", invalid="ignore"):
            count = weight.sum(axis=0)
            mean, deviation, _, shift = deviations(x, weight[..., None], count[..., None])
            rows = np.moveaxis(np.sqrt(weight)[..., None] * deviation, 0, -2)
            scatter = rows.swapaxes(-1, -2) @ rows - outer(shift) * count[..., None, None]
        return cls(count, mean, scatter)

    def _plus(self, other: Self) -> Self:
        count, mean, apart = merged(self.count, self.mean, other.count, other.mean)
        return type(self)(count, mean, self.scatter + other.scatter + outer(apart))


@dataclass(frozen=True)
class MultivariateNormal(ExponentialFamily):
    r"""Normal distributions of x in d dimensions, shape (*batch, d); k = d + d², and Λ = Σ⁻¹.

    .. math::
        & p(x \mid \mu, \Sigma)
        = \frac{\exp(-\tfrac{1}{2} (x - \mu)^T \Sigma^{-1} (x - \mu))}{\sqrt{\det(2 \pi \Sigma)}}
        = h(x) \exp(\eta \cdot T(x) - A(\eta)) \\
        & \eta = (\Lambda \mu, -\tfrac{1}{2} \mathrm{vec} \Lambda), \quad T(x) = (x, \mathrm{vec} \, x x^T), \quad
        h(x) = (2 \pi)^{-d/2} \\
        & A(\eta) = \tfrac{1}{2} \mu^T \Lambda \mu - \tfrac{1}{2} \log \det \Lambda \\
        & \nabla A(\eta) = (\mu, \mathrm{vec}(\Sigma + \mu \mu^T)) \\
        & \mathrm{Cov}[x_i, x_j] = \Sigma_{ij}, \quad
        \mathrm{Cov}[x_i, x_k x_l] = \mu_k \Sigma_{il} + \mu_l \Sigma_{ik} \\
        & \mathrm{Cov}[x_i x_j, x_k x_l] = c_{ijkl} + c_{ijlk}, \quad
        c_{ijkl} = \Sigma_{ik} (\Sigma_{jl} + \mu_j \mu_l) + \mu_i \mu_k \Sigma_{jl}

    The entries above and below the diagonal of x xᵀ are the same, so that η has d (d - 1) / 2 parameters too many; the
    minimal form keeps one half of the matrix. Only the symmetric part of the matrix in η counts, here -½ Λ.
    """

    dimension: int

    event_ndim = 1
    domain = "finite numbers whose matrix, -Λ / 2, is negative definite"

    def __post_init__(self) -> None:
        require_integer("dimension", self.dimension, at_least=1)

    @property
    def support(self) -> str:
        """Where x may be, in words."""
        return f"{self.dimension} finite numbers"

    @property
    def n_natural(self) -> int:
        """d + d²."""
        return self.dimension + self.dimension**2

    def natural(self, *, mean: ArrayLike, covariance: ArrayLike) -> Array:
        """η = (Λ μ, -½ vec Λ), shape (*batch, d + d²)."""
        mean, precision = self.check(mean), inverse(self._covariance(covariance))
        linear = product(precision, mean)
        quadratic = np.broadcast_to(-0.5 * flat(precision), (*linear.shape[:-1], self.dimension**2))
        return np.concatenate([linear, quadratic], axis=-1)

    def _covariance(self, covariance: ArrayLike) -> Array:
        """Σ, if it is symmetric and positive definite."""
        sigma, d = np.asarray(covariance, dtype=np.float64), self.dimension
        if sigma.shape[-2:] != (d, d):
            raise ValueError(f"covariance must have the shape (..., {d}, {d}), received {sigma.shape}")
        if not (finite := np.isfinite(sigma)).all():
            raise ValueError(f"covariance must be finite, received {first(sigma, ~finite)}")
        scale = np.abs(sigma).max(axis=(-2, -1), keepdims=True)
        symmetric = np.all(np.abs(sigma - sigma.swapaxes(-1, -2)) <= 1e-8 * scale, axis=(-2, -1))
        if not (valid := symmetric & (scaled_eigenvalues(sigma).min(axis=-1) > self._singular)).all():
            raise ValueError(f"covariance must be symmetric and positive definite, received {first(sigma, ~valid)}")
        return 0.5 * (sigma + sigma.swapaxes(-1, -2))

    @property
    def _singular(self) -> float:
        """The eigenvalue, of a matrix with unit diagonal, below which it is singular up to rounding.

        Scaled in the same way, Λ is then above a d-th of it, which is what `_in_domain` asks for.
        """
        return 4 * self.dimension**2 * np.finfo(float).eps

    def _split(self, eta: Array) -> tuple[Array, Array]:
        """Λ μ and Λ."""
        d = self.dimension
        matrix = -eta[..., d:].reshape(*eta.shape[:-1], d, d)
        return eta[..., :d], matrix + matrix.swapaxes(-1, -2)

    def _usual(self, eta: Array) -> dict[str, Array]:
        """μ = Σ η_1 and Σ = Λ⁻¹."""
        linear, precision = self._split(eta)
        return {"mean": solve(precision, linear), "covariance": inverse(precision)}

    def _statistic(self, x: Array) -> Array:
        return np.concatenate([x, flat(outer(x))], axis=-1)

    def _log_base(self, x: Array) -> Array:
        return np.full(x.shape[:-1], -0.5 * self.dimension * np.log(2 * np.pi))

    def _log_partition(self, eta: Array) -> Array:
        """½ |C⁻¹ η_1|² - sum_i log C_ii with the Cholesky factor Λ = C Cᵀ."""
        linear, precision = self._split(eta)
        factor = cholesky(precision)
        return 0.5 * np.sum(solve(factor, linear) ** 2, axis=-1) - log_diagonal(factor)

    def _mean_statistic(self, eta: Array) -> Array:
        mu, sigma = self._usual(eta).values()
        return np.concatenate([mu, flat(sigma + outer(mu))], axis=-1)

    def _variance_statistic(self, eta: Array) -> Array:
        mu, sigma = self._usual(eta).values()
        d = self.dimension
        across = np.einsum("...k,...il->...ikl", mu, sigma)
        across = (across + across.swapaxes(-1, -2)).reshape(*mu.shape[:-1], d, d * d)
        second = sigma + outer(mu)
        squares = np.einsum("...ik,...jl->...ijkl", sigma, second) + np.einsum("...ik,...jl->...ijkl", outer(mu), sigma)
        squares = (squares + squares.swapaxes(-1, -2)).reshape(*mu.shape[:-1], d * d, d * d)
        upper = np.concatenate([sigma, across], axis=-1)
        return np.concatenate([upper, np.concatenate([across.swapaxes(-1, -2), squares], axis=-1)], axis=-2)

    def _mean(self, eta: Array) -> Array:
        return self._usual(eta)["mean"]

    def _variance(self, eta: Array) -> Array:
        return self._usual(eta)["covariance"]

    def _log_density(self, x: Array, eta: Array) -> Array:
        """-½ |Cᵀ (x - μ)|² + sum_i log C_ii - ½ d log 2π with Λ = C Cᵀ, from the deviation as in one dimension."""
        linear, precision = self._split(eta)
        factor = cholesky(precision)
        with np.errstate(over="ignore"):  # a density of zero
            distance = np.sum(product(factor.swapaxes(-1, -2), x - solve(precision, linear)) ** 2, axis=-1)
        return -0.5 * distance + log_diagonal(factor) + self._log_base(x)

    def _collect(self, x: Array, weight: Array) -> CentredVectors:
        return CentredVectors.of(x, weight)

    def nothing(self, batch: Shape = ()) -> CentredVectors:
        """Statistics of no observation."""
        d = self.dimension
        return CentredVectors(np.zeros(batch), np.zeros((*batch, d)), np.zeros((*batch, d, d)))

    def _mle(self, count: Array, mean: Array, scatter: Array) -> Array:
        """μ = mean and Σ = scatter / count."""
        sigma = scatter / count[..., None, None]
        rank = np.sum(scaled_eigenvalues(sigma) > self._singular, axis=-1)
        if (singular := rank < self.dimension).any():
            raise ValueError(
                f"{self}: the scatter matrix{at(singular)} is singular: its rank is {rank[singular][0]} of "
                f"{self.dimension}, so that the likelihood has no maximum. Take more observations or leave out what is "
                "constant or a combination of others."
            )
        return self.natural(mean=mean, covariance=sigma)

    def _sample(self, eta: Array, rng: np.random.Generator, shape: Shape) -> Array:
        """μ + C⁻ᵀ z."""
        linear, precision = self._split(eta)
        z = rng.standard_normal((*shape, self.dimension))
        return solve(precision, linear) + solve(cholesky(precision).swapaxes(-1, -2), z)

    def _in_support(self, x: Array) -> Mask:
        if x.shape[-1] != self.dimension:
            raise ValueError(f"{self}: x must have the shape (..., {self.dimension}), received {x.shape}")
        return np.isfinite(x)

    def _in_domain(self, eta: Array) -> Mask:
        finite = np.isfinite(eta)
        _, precision = self._split(np.where(finite.all(axis=-1, keepdims=True), eta, 0.0))
        least: Array = scaled_eigenvalues(precision).min(axis=-1, keepdims=True)
        return finite & (least > self.dimension * np.finfo(float).eps)


def flat(matrix: Array) -> Array:
    """vec of a matrix, shape (*batch, d²)."""
    return matrix.reshape(*matrix.shape[:-2], -1)


def product(matrix: Array, x: Array) -> Array:
    """M x for a batch of matrices and of vectors."""
    return np.einsum("...ij,...j->...i", matrix, x)


def solve(matrix: Array, x: Array) -> Array:
    """M⁻¹ x for a batch of matrices and of vectors."""
    return np.asarray(np.linalg.solve(matrix, x[..., None])[..., 0], dtype=np.float64)


def cholesky(matrix: Array) -> Array:
    """C with M = C Cᵀ, lower triangular."""
    return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)


def log_diagonal(factor: Array) -> Array:
    """sum_i log C_ii, shape (*batch)."""
    return np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1)


def inverse(matrix: Array) -> Array:
    """M⁻¹ = Wᵀ W with W = C⁻¹, M = C Cᵀ: symmetric and positive definite as M is. It is a parameter here, Σ or Λ."""
    W = np.linalg.solve(cholesky(matrix), np.eye(matrix.shape[-1]))
    return np.asarray(W.swapaxes(-1, -2) @ W, dtype=np.float64)


def scaled_eigenvalues(matrix: Array) -> Array:
    """Eigenvalues after scaling to a unit diagonal, so that units do not matter; 0 for what has no variance."""
    diagonal = np.diagonal(matrix, axis1=-2, axis2=-1)
    scale = np.divide(1.0, np.sqrt(np.maximum(diagonal, 0.0)), out=np.zeros_like(diagonal), where=diagonal > 0)
    correlations = scale[..., :, None] * matrix * scale[..., None, :]
    return np.asarray(np.linalg.eigvalsh(correlations), dtype=np.float64)
