"""Ten points of two classes in the plane, and the cone of the lines that separate them."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from course.studies.ng_jordan_redone.random_hyperplane import STEPS, random_directions
from probml.curves import LogisticRegression
from probml.curves.subsets import Subsets

Array = NDArray[np.float64]
MEAN = np.array([1.0, 0.5])  # of class 1, drawn from N(MEAN, I); that of class 0 is the opposite
_ZEROS = [[-1.6, -0.1], [-0.9, -1.3], [-0.2, -0.3], [-1.3, 0.9], [-0.6, -2.0]]
_ONES = [[0.9, 1.7], [1.8, 0.2], [0.7, 0.4], [2.1, 1.2], [1.3, -0.8]]
X = np.array([*_ZEROS, *_ONES])
Y = np.repeat([0, 1], 5)
ROUNDING = 1e-9


def cone(X: Array, y: NDArray[np.intp]) -> Array:
    """Rows ±(x, 1), shape (m, 3): θ = (w, b) separates the classes where all products with it are positive."""
    return (2.0 * y - 1)[:, None] * np.column_stack([X, np.ones(len(X))])


def largest_margin(X: Array, y: NDArray[np.intp]) -> Array:
    """θ of the line that is farthest from the points, of length 1, shape (3,)."""
    fit = LogisticRegression(separable="margin").fit(Subsets(X[None], y[None], 2))
    scores = fit.scores["margin"]
    theta = np.append(scores.coef[0, 0], scores.intercept[0, 0])
    return theta / np.linalg.norm(theta)


def random_lines(X: Array, y: NDArray[np.intp], number: int, seed: int, steps: int = STEPS) -> Array:
    """θ of independent random separating lines, of length 1, shape (number, 3): a chain for each of them."""
    A = np.repeat(cone(X, y)[None], number, axis=0)
    inside = np.repeat(largest_margin(X, y)[None], number, axis=0)
    theta = random_directions(A, inside, [np.random.default_rng([seed, k]) for k in range(number)], steps)
    return theta / np.linalg.norm(theta, axis=1, keepdims=True)


def error(theta: Array) -> Array:
    """Exact error of lines θ, shape (..., 3), on new points of the two clouds."""
    w, b = theta[..., :2], theta[..., 2]
    length = np.linalg.norm(w, axis=-1)
    return (ndtr(-(w @ MEAN + b) / length) + ndtr(-(w @ MEAN - b) / length)) / 2


def end_on(theta: Array, axis: Array) -> Array:
    """Where rays of the cone meet the plane at right angles to `axis`: shape (..., 2)."""
    basis = np.linalg.svd(axis[None])[2][1:]
    return (theta @ basis.T) / (theta @ axis)[..., None]


def edges(X: Array, y: NDArray[np.intp], axis: Array) -> Array:
    """Corners of the cone's cross-section, in order around it, shape (corners, 2)."""
    A = cone(X, y)
    crossed = [np.cross(A[i], A[j]) for i in range(len(A)) for j in range(i)]
    rays = [theta for ray in crossed for theta in (ray, -ray) if (A @ theta > -ROUNDING).all() and theta @ axis > 0]
    corners = end_on(np.array(rays), axis)
    return corners[np.argsort(np.arctan2(*(corners - corners.mean(axis=0)).T[::-1]))]
