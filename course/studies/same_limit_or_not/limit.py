"""Linear classifiers fitted to infinitely many examples of two normal classes."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from course.studies.same_limit_or_not.normals import NODES, WEIGHTS, TwoNormals

Array = NDArray[np.float64]
STARTS = 12  # for the least error, which has local minima


def discriminant(problem: TwoNormals, *, naive: bool) -> tuple[Array, float]:
    """w = S^-1 (mean_1 - mean_0) and b = -w · (mean_0 + mean_1) / 2, with S the mean of both covariances.

    naive : only the diagonal of S, as naive Bayes with shared variances has it; otherwise linear discriminant analysis.
    """
    S = problem.covariance.mean(axis=0)
    difference = problem.mean[1] - problem.mean[0]
    w = difference / np.diag(S) if naive else np.linalg.solve(S, difference)
    return w, float(-w @ problem.mean.mean(axis=0))


def of(model: str, problem: TwoNormals) -> tuple[Array, float]:
    """w and b of "naive Bayes", "LDA" or "logistic regression" with infinitely many examples."""
    if model == "logistic regression":
        return logistic(problem)
    return discriminant(problem, naive=model == "naive Bayes")


def threshold(w: Array, b: float) -> float:
    """Of one feature: where w x + b = 0, to nine digits, so that halfway between opposite means is 0 and not -0."""
    return round(-b / float(w[0]), 9) + 0.0


def logistic(problem: TwoNormals) -> tuple[Array, float]:
    """The minimum of E log(1 + e^(∓(w · x + b))), to which maximum likelihood goes.

    With z = w · x + b, normal in each class, E σ(z) x = E σ(z) mean + E σ'(z) covariance w (Stein's identity) gives the
    gradient from integrals in one dimension.
    """

    def objective(theta: Array) -> tuple[float, Array]:
        w, b = theta[:-1], theta[-1]
        mean, deviation = problem.scores(w, b)
        gradient = np.zeros_like(theta)
        for k in (0, 1):
            z = mean[k] + deviation[k] * NODES
            slope, curvature = WEIGHTS @ (expit(z) - k), WEIGHTS @ (expit(z) * expit(-z))
            gradient[:-1] += (slope * problem.mean[k] + curvature * problem.covariance[k] @ w) / 2
            gradient[-1] += slope / 2
        return float(problem.log_loss(w, b)), gradient

    start = np.append(*discriminant(problem, naive=False))
    theta = minimize(objective, start, jac=True, method="BFGS", options={"gtol": 1e-10}).x
    return theta[:-1], float(theta[-1])


def least_error(problem: TwoNormals, seed: int = 0) -> float:
    """The smallest error of any hyperplane, by descent from several starts."""
    rng = np.random.default_rng(seed)
    starts = [np.append(*discriminant(problem, naive=naive)) for naive in (True, False)]
    starts += [np.append(*logistic(problem))]
    starts += [starts[-1] + rng.normal(size=problem.n + 1) * np.abs(starts[-1]).max() / 2 for _ in range(STARTS)]

    def error(theta: Array) -> float:
        return float(problem.error(theta[:-1], theta[-1]))

    return min(
        minimize(error, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).fun for start in starts
    )


def bayes_error(problem: TwoNormals, points: int = 1201, reach: float = 9.0) -> float:
    """½ ∫ min(p(x | 0), p(x | 1)) dx by a grid over `reach` standard deviations, for one or two features."""
    if problem.n > 2:
        raise ValueError(f"a grid is for one or two features, not {problem.n}")
    deviation = np.sqrt(np.diagonal(problem.covariance, axis1=1, axis2=2))
    low, high = (problem.mean - reach * deviation).min(axis=0), (problem.mean + reach * deviation).max(axis=0)
    axes = [np.linspace(a, b, points) for a, b in zip(low, high, strict=True)]
    X = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, problem.n)
    density = []
    for mean, covariance in zip(problem.mean, problem.covariance, strict=True):
        L = np.linalg.cholesky(covariance)
        white = np.linalg.solve(L, (X - mean).T)
        density.append(np.exp(-(white**2).sum(axis=0) / 2) / np.prod(np.diag(L)) / np.sqrt(2 * np.pi) ** problem.n)
    cell = np.prod([axis[1] - axis[0] for axis in axes])
    return float(np.minimum(*density).sum() * cell / 2)
