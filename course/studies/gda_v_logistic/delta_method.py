"""The same efficiency by brute force: covariances of both estimates, and the second derivative of the error."""

from collections.abc import Callable

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy.linalg import block_diag, cho_factor, cho_solve
from scipy.special import expit

from course.studies.gda_v_logistic.two_normals import Array, TwoNormals

STEP = 1e-30  # of complex-step derivatives, which nothing is subtracted for
DIFFERENCE = 1e-4  # of the central difference of a derivative
NODES = 160  # of the quadrature


def weights_of(phi: complex, mu0: NDArray, mu1: NDArray, Sigma: NDArray) -> NDArray:
    """θ = (b, w) with w = Σ^-1 (μ_1 - μ_0), b = log(φ / (1 - φ)) - (μ_1^T Σ^-1 μ_1 - μ_0^T Σ^-1 μ_0) / 2."""
    one, zero = np.linalg.solve(Sigma, np.column_stack([mu1, mu0])).T
    return np.concatenate([[np.log(phi / (1 - phi)) - (mu1 @ one - mu0 @ zero) / 2], one - zero])


def gda_covariance(case: TwoNormals) -> Array:
    """m Cov(θ), shape (n + 1, n + 1): J C J^T, J the derivative of `weights_of`, C the covariance of its arguments.

    φ has p_0 p_1, μ_j has I / p_j, and entries of Σ have Cov(Σ_ab, Σ_cd) = δ_ac δ_bd + δ_ad δ_bc; no two of them meet.
    """
    n, (p0, p1), eye = case.n, case.priors, np.eye(case.n)
    of_sigma = (np.einsum("ac,bd->abcd", eye, eye) + np.einsum("ad,bc->abcd", eye, eye)).reshape(n * n, n * n)
    C = block_diag(p0 * p1, eye / p0, eye / p1, of_sigma)

    def theta(psi: NDArray) -> NDArray:
        return weights_of(psi[0], psi[1 : n + 1], psi[n + 1 : 2 * n + 1], psi[2 * n + 1 :].reshape(n, n))

    J = jacobian(theta, np.concatenate([[p1], *case.means, eye.ravel()]))
    return J @ C @ J.T


def logistic_covariance(case: TwoNormals) -> Array:
    """m Cov(θ) = E[p (1 - p) (1, x) (1, x)^T]^-1, shape (n + 1, n + 1), by Gauss-Hermite quadrature over x_1."""
    nodes, mass = hermegauss(NODES)
    mass = mass / mass.sum()
    J = np.zeros((case.n + 1, case.n + 1))
    for prior, mean in zip(case.priors, case.means[:, 0], strict=True):
        x = mean + nodes
        p = expit(case.theta[0] + case.theta[1] * x)
        bend = prior * mass * p * (1 - p)
        J[:2, :2] += np.einsum("i,ai,bi->ab", bend, rows := np.stack([np.ones_like(x), x]), rows)
        J[2:, 2:] += bend.sum() * np.eye(case.n - 1)  # the other features are independent of y, with mean 0
    return cho_solve(cho_factor(J), np.eye(case.n + 1))


def error_curvature(case: TwoNormals) -> Array:
    """Second derivative of the error at the true θ, shape (n + 1, n + 1). The first is 0: no rule is better."""

    def gradient(theta: Array) -> Array:
        return jacobian(lambda t: case.error(t)[None], theta)[0]

    steps = DIFFERENCE * np.eye(case.n + 1)
    H = np.stack([(gradient(case.theta + e) - gradient(case.theta - e)) / (2 * DIFFERENCE) for e in steps])
    return (H + H.T) / 2


def excess_errors(case: TwoNormals) -> dict[str, float]:
    """m times the excess error of each model, for m → ∞: tr(H m Cov(θ)) / 2."""
    if case.delta == 0:
        raise ValueError("classes of one mean have no boundary, and no rule is better than another: give delta above 0")
    H = error_curvature(case)
    covariances = {"GDA": gda_covariance(case), "logistic": logistic_covariance(case)}
    return {name: float(np.sum(H * covariance)) / 2 for name, covariance in covariances.items()}


def efficiency(case: TwoNormals) -> float:
    """Excess error of GDA over that of logistic regression, for m → ∞."""
    excess = excess_errors(case)
    return excess["GDA"] / excess["logistic"]


def jacobian(f: Callable[[NDArray], NDArray], x: Array) -> Array:
    """∂f_i / ∂x_j = Im f_i(x + ih e_j) / h, shape (outputs, inputs): exact but for rounding."""
    return np.stack([f(x + 1j * STEP * e).imag / STEP for e in np.eye(len(x))], axis=1)
